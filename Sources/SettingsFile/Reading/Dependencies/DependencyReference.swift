import Monitoring

/// A reference to a target, or to `link`, in `depends_on`.
struct DependencyReference {
    let name: String
    /// The position in the document.
    let path: SettingsPath
    /// The table and key, for messages.
    let keyPath: String
    /// Whether it is set on the target itself, not in its group or the defaults.
    var isOwn = true
}

extension TableReader {
    private static let example = "the names of targets, such as [\"Router\"], or \"link\""

    /// Reads the name of a target, or an array of names. An empty array removes inherited dependencies.
    mutating func dependencies(_ key: String) -> [DependencyReference]? {
        switch value(key) {
        case nil:
            return nil
        case .string(let name):
            return substituted(name, for: key).map { name in
                [DependencyReference(name: name, path: path.appending(key), keyPath: title + key)]
            }
        case .array(let elements):
            var references: [DependencyReference] = []
            for (index, element) in elements.enumerated() {
                guard case .string(let text) = element else {
                    report("expected strings only", hint: Self.example, about: key)
                    return nil
                }
                guard let name = substituted(text, for: key) else { return nil }
                let path = path.appending(key).appending(index)
                references.append(DependencyReference(name: name, path: path, keyPath: title + key))
            }
            return references
        case .some(let other):
            reportType(of: key, found: other, expected: "a string or an array of strings", hint: Self.example)
            return nil
        }
    }
}
