import Monitoring

/// A line of the table.
enum Row: Sendable {
    /// The head of a group; nil is the group of the targets that have none, which is shown only beside others.
    case group(String?, [Standing], isFolded: Bool)
    case target(Standing)

    /// What stays the same when sorting, folding or a reload moves the row.
    enum ID: Sendable, Hashable {
        case group(String?)
        case target(Target.ID)
    }

    var id: ID {
        switch self {
        case .group(let name, _, _): .group(name)
        case .target(let standing): .target(standing.id)
        }
    }

    /// The targets that an action on this row concerns.
    var targets: [Standing] {
        switch self {
        case .group(_, let standings, _): standings
        case .target(let standing): [standing]
        }
    }

    /// The rows of the table: groups in the order of their first member, folded ones without their targets.
    static func rows(
        of standings: [Standing],
        filter: Filter,
        sort: Sort,
        reversed: Bool,
        folded: Set<String?>
    ) -> [Row] {
        let shown = sort.sorted(standings.filter(filter.matches), reversed: reversed)
        var order: [String?] = []
        var members: [String?: [Standing]] = [:]
        for standing in shown {
            let group = standing.target.group
            if members[group] == nil { order.append(group) }
            members[group, default: []].append(standing)
        }
        guard order.contains(where: { $0 != nil }) else { return shown.map(Row.target) }
        return order.flatMap { group -> [Row] in
            let standings = members[group, default: []]
            let isFolded = folded.contains(group)
            return [.group(group, standings, isFolded: isFolded)] + (isFolded ? [] : standings.map(Row.target))
        }
    }
}
