/// The keys set in `[defaults]`, a template, a group or a target, as changes to a ``TargetDraft``.
///
/// Changes are applied in this order: defaults, group, target, each after its template. For each key, the value nearest to the target wins.
struct Layer: Sendable {
    private var changes: [@Sendable (inout TargetDraft) -> Void] = []

    /// Applies the changes.
    func apply(to draft: inout TargetDraft) {
        for change in changes { change(&draft) }
    }

    /// Adds a change.
    mutating func change(_ change: @escaping @Sendable (inout TargetDraft) -> Void) {
        changes.append(change)
    }

    /// Adds a change of one value; nil, for a missing or invalid key, changes nothing.
    mutating func set<Value: Sendable>(_ key: any WritableKeyPath<TargetDraft, Value> & Sendable, to value: Value?) {
        guard let value else { return }
        change { $0[keyPath: key] = value }
    }

    /// Adds a change of one optional value. Without this overload, a missing key would set the value to nil.
    mutating func set<Value: Sendable>(_ key: any WritableKeyPath<TargetDraft, Value?> & Sendable, to value: Value?) {
        guard let value else { return }
        change { $0[keyPath: key] = value }
    }
}
