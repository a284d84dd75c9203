import Monitoring

/// A line of the table.
enum Row: Sendable, Hashable {
    /// The head of a group, and which stretch of the ``RowOrder/positions`` its targets are; nil is the group of the targets
    /// that have none, which is shown only beside others.
    case group(String?, members: Range<Int>, isFolded: Bool)
    /// A target, and its place among the standings.
    case target(Target.ID, position: Int)

    /// What stays the same when sorting, folding or a reload moves the row.
    enum ID: Sendable, Hashable {
        case group(String?)
        case target(Target.ID)
    }

    var id: ID {
        switch self {
        case .group(let name, _, _): .group(name)
        case .target(let id, _): .target(id)
        }
    }
}
