import Monitoring

/// A row of the table.
enum Row: Sendable, Hashable {
    /// The heading of a group, with the range of its targets in ``RowOrder/positions``. A nil name is the group of
    /// targets without one, which has a heading only if there are other groups.
    case group(String?, members: Range<Int>, isFolded: Bool)
    /// A target, with its position in the target states.
    case target(Target.ID, position: Int)

    /// The identity of a row, which stays the same when sorting, folding or a reload moves it.
    enum ID: Sendable, Hashable {
        case group(String?)
        case target(Target.ID)

        var isTarget: Bool { if case .target = self { true } else { false } }
    }

    var id: ID {
        switch self {
        case .group(let name, _, _): .group(name)
        case .target(let id, _): .target(id)
        }
    }
}
