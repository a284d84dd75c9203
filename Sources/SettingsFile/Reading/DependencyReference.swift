import Monitoring

/// The mention of a target, or of `link`, in `depends_on`.
struct DependencyReference {
    let name: String
    /// Where it stands, and in which key of which table.
    let path: SettingsPath
    let keyPath: String
    /// Whether it stands on the target itself, and not in its group or the defaults.
    var isOwn = true
}

extension TableReader {
    private static let example = "the names of targets, such as [\"Router\"], or \"link\""

    /// Takes the name of a target, or an array of several; an empty one takes back what the layers below say.
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
            report(key, is: other, insteadOf: "a string or an array of strings", hint: Self.example)
            return nil
        }
    }
}
