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
        texts(key, example: Self.example)?.map { element in
            DependencyReference(name: element.text, path: element.path, keyPath: title + key)
        }
    }
}
