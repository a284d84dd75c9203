import Monitoring
import Screen

/// The heading of a group: its name, a rule, and how many of its targets are up.
struct GroupHeading {
    let name: String?
    private let counts: HealthCounts
    /// The character before the name, which shows whether the group is folded.
    let mark: Character?

    /// Creates the heading of targets, by their positions in the target states.
    init(name: String?, members: ArraySlice<Int>, of states: TargetStates, mark: Character? = nil) {
        self.name = name
        self.mark = mark
        var counts = HealthCounts()
        for position in members { counts.add(states.targetSummaries[position]) }
        self.counts = counts
    }

    /// Returns the heading as a line.
    func segments(columns: Int, appearance: Appearance) -> [Segment] {
        let isImperfect = counts.degraded - counts.acknowledgedDegraded + counts.unknown > 0
        // Acknowledged targets do not count. Without a reachable target, the others are paused or blocked.
        let role: Role =
            counts.down > counts.acknowledgedDown
            ? .down : isImperfect ? .degraded : counts.reachable > 0 ? .up : .waiting
        let rule = appearance.glyphs.rule
        let upCount = " \(counts.reachable)/\(counts.total) up "
        let tail = [Segment(upCount, appearance[role]), Segment("\(rule)\(rule)", appearance[.faint])]
        let room = columns - tail.displayWidth
        let text = (mark.map { "\($0) " } ?? "") + "\(name ?? "other") "
        let title = text.truncated(toColumns: max(4, room), ellipsis: appearance.glyphs.ellipsis)
        let line = String(repeating: rule, count: max(0, room - title.displayWidth))
        return [Segment(title, appearance[.title]), Segment(line, appearance[.faint])] + tail
    }
}
