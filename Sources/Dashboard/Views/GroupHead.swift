import Monitoring
import Screen

/// The head of a group: its name, a rule, and how many of its targets are up.
struct GroupHead {
    let name: String?
    private let census: Census
    /// Stands before the name.
    let mark: Character?

    /// The head of targets, by their places among the standings.
    init(name: String?, members: ArraySlice<Int>, of standings: Standings, mark: Character? = nil) {
        self.name = name
        self.mark = mark
        var census = Census()
        for position in members { census.add(standings.glances[position]) }
        self.census = census
    }

    /// The head as a line of so many columns.
    func segments(columns: Int, look: Look) -> [Segment] {
        let isImperfect = census.degraded + census.unknown > 0
        let role: Role = census.down > 0 ? .down : isImperfect ? .degraded : .up
        let rule = look.glyphs.rule
        let count = " \(census.reachable)/\(census.total) up "
        let tail = [Segment(count, look[role]), Segment("\(rule)\(rule)", look[.faint])]
        let room = columns - tail.displayWidth
        let words = (mark.map { "\($0) " } ?? "") + "\(name ?? "other") "
        let title = words.truncated(toColumns: max(4, room), ellipsis: look.glyphs.ellipsis)
        let line = String(repeating: rule, count: max(0, room - title.displayWidth))
        return [Segment(title, look[.title]), Segment(line, look[.faint])] + tail
    }
}
