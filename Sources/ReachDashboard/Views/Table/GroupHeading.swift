import ReachMonitoring
import ReachScreen

/// The heading of a group: its name, a rule, and how many of its targets have each health; with a filter, how many of its
/// targets match.
struct GroupHeading {
    let name: String?
    private let counts: HealthCounts
    /// The number of all targets of the group.
    private let size: Int
    /// The number of further targets that are up.
    private let countedUp: Int
    /// The number of further targets of unknown health.
    private let countedUnknown: Int
    /// The character before the name, which shows whether the group is folded.
    let mark: Character?
    /// Whether the number of targets that are up has just changed.
    private let isChanged: Bool

    /// Creates the heading of targets, by their positions in the target states.
    ///
    /// - Parameters:
    ///   - size: the number of all targets of the group; nil if the filter matches all.
    ///   - counted: the number of further targets, which are not read.
    ///   - countedHealth: their health, up or unknown.
    init(
        name: String?,
        members: ArraySlice<Int>,
        of states: TargetStates,
        size: Int? = nil,
        counted: Int = 0,
        countedHealth: Health = .up,
        mark: Character? = nil,
        isChanged: Bool = false
    ) {
        self.name = name
        self.mark = mark
        countedUp = countedHealth == .up ? counted : 0
        countedUnknown = counted - countedUp
        self.isChanged = isChanged
        var counts = HealthCounts()
        for position in members { counts.add(states.targetSummaries[position]) }
        self.counts = counts
        self.size = size ?? counts.total
    }

    /// Returns the heading as a line.
    func segments(columns: Int, appearance: Appearance) -> [Segment] {
        let rule = appearance.glyphs.rule
        let end = Segment(" \(rule)\(rule)", appearance[.faint])
        let isPartial = counts.total < size
        let (up, unknown) = (counts.up + countedUp, counts.unknown + countedUnknown)
        let first = isPartial ? " \(counts.total) of \(size)" : " \(up)/\(counts.total + countedUp + countedUnknown) up"
        let failing = [
            (counts.degraded, counts.degradedName, counts.slowRole), (counts.down, "down", counts.downRole),
        ]
        let waiting = [
            (unknown, "unknown", Role.waiting), (counts.blocked, "blocked", .waiting),
            (counts.paused, "paused", .waiting),
        ]
        let start = [Segment(first, isChanged ? appearance[role].highlighted : appearance[role])]
        func segments(of others: [(Int, String, Role)]) -> [Segment] {
            others.filter { $0.0 > 0 && !isPartial }.flatMap { count, word, role in
                [Segment(", ", appearance[.faint]), Segment("\(count) \(word)", appearance[role])]
            }
        }
        let text = (mark.map { "\($0) " } ?? "") + "\(name ?? "other") "
        // The name is more important than the counts of other targets.
        let tails = [failing + waiting, failing].map { start + segments(of: $0) + [end] }
        let tail = tails.first { text.displayWidth + $0.displayWidth <= columns } ?? start + [end]
        let available = columns - tail.displayWidth
        let title = text.truncated(toColumns: max(4, available), ellipsis: appearance.glyphs.ellipsis)
        let line = String(repeating: rule, count: max(0, available - title.displayWidth))
        return [Segment(title, appearance[.title]), Segment(line, appearance[.faint])] + tail
    }

    /// The worst health of the group. Targets that are acknowledged or in maintenance do not count.
    private var role: Role {
        let isImperfect = counts.slowRole == .degraded || counts.unknown + countedUnknown > 0
        // Without a reachable target, the others are paused or blocked.
        return counts.downRole == .down
            ? .down : isImperfect ? .degraded : counts.reachable + countedUp > 0 ? .up : .waiting
    }
}

extension HealthCounts {
    /// The role of the number of slow targets. If all of them are acknowledged or in maintenance, it does not
    /// stand out.
    var slowRole: Role { degraded > expectedDegraded ? .degraded : .waiting }

    /// The role of the number of targets that are down, likewise.
    var downRole: Role { down > expectedDown ? .down : .waiting }
}
