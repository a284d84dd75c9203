import Monitoring
import Screen

/// The head of a group: its name, a rule, and how many of its targets are up.
struct GroupHead {
    let name: String?
    let standings: [Standing]
    /// Stands before the name.
    var mark: Character?

    /// The head as a line of so many columns.
    func segments(columns: Int, look: Look) -> [Segment] {
        var (up, failing, imperfect) = (0, false, false)
        for standing in standings where !standing.isOutOfUse {
            let health = standing.health
            up += health.isReachable ? 1 : 0
            failing = failing || health == .down
            imperfect = imperfect || health != .up
        }
        let role: Role = failing ? .down : imperfect ? .degraded : .up
        let rule = look.glyphs.rule
        let count = " \(up)/\(standings.count) up "
        let tail = [Segment(count, look[role]), Segment("\(rule)\(rule)", look[.faint])]
        let room = columns - tail.displayWidth
        let words = (mark.map { "\($0) " } ?? "") + "\(name ?? "other") "
        let title = words.truncated(toColumns: max(4, room), ellipsis: look.glyphs.ellipsis)
        let line = String(repeating: rule, count: max(0, room - title.displayWidth))
        return [Segment(title, look[.title]), Segment(line, look[.faint])] + tail
    }
}
