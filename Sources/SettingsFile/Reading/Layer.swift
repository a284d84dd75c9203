/// What `[defaults]`, a group or a target says, as changes of a ``Draft``.
///
/// The changes of the defaults are made first, then the group's, then the target's, so that of each key the nearest
/// word stands.
struct Layer {
    private var changes: [(inout Draft) -> Void] = []

    /// Makes the changes.
    func apply(to draft: inout Draft) {
        for change in changes { change(&draft) }
    }

    /// Notes a change.
    mutating func change(_ change: @escaping (inout Draft) -> Void) {
        changes.append(change)
    }

    /// Notes what a key says; a key that is not there, or is wrong, changes nothing.
    mutating func set<Value>(_ key: WritableKeyPath<Draft, Value>, to value: Value?) {
        guard let value else { return }
        change { $0[keyPath: key] = value }
    }

    /// Notes what a key says that has no default. Without this one, the absence of such a key would count as its value.
    mutating func set<Value>(_ key: WritableKeyPath<Draft, Value?>, to value: Value?) {
        guard let value else { return }
        change { $0[keyPath: key] = value }
    }
}
