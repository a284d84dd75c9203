/// Where a value that targets may share is set: in `[defaults]`, a group, a template or a target.
struct ValueOrigin: Sendable, Hashable {
    let path: SettingsPath
    /// The table and the key in messages: `defaults.timeout`.
    let name: String
}

extension TableReader {
    /// Returns where the value of a key is set, or that of a key in the table of a key.
    func origin(_ keys: String...) -> ValueOrigin {
        ValueOrigin(
            path: keys.reduce(path) { $0.appending($1) },
            name: title + keys.joined(separator: ".")
        )
    }
}
