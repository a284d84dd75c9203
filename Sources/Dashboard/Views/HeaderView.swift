import Monitoring
import Screen

/// The first line: the source of the targets, their number, their health, and the time.
///
/// ```
///  reach  dashboard.toml                14 targets   ● 9 up  ◐ 1 slow  ○ 2 down  ‖ 1 paused   14:02:31
/// ```
struct HeaderView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        for (column, segments) in pieces(in: area) {
            frame.write(
                segments,
                at: Position(column: column, row: area.row),
                limit: area.columns - 2,
                ellipsis: model.appearance.glyphs.ellipsis
            )
        }
    }

    /// Returns the link at a position of the screen.
    func link(at position: Position, in area: Area) -> Segment.Link? {
        guard area.contains(position), position.column <= area.columns - 2 else { return nil }
        let piece = pieces(in: area).last { $0.column <= position.column }
        return piece?.segments.link(atColumn: position.column - (piece?.column ?? 0))
    }

    /// The parts of the line, each with its first column.
    private func pieces(in area: Area) -> [(column: Int, segments: [Segment])] {
        guard !area.isEmpty else { return [] }
        let appearance = model.appearance
        let clock = model.wall.timeOfDay(at: model.now)
        let time =
            model.frozen == nil
            ? [Segment(clock, appearance[.text])]
            : [Segment("FROZEN ", appearance[.title]), Segment(clock, appearance[.accent])]
        let total = model.roster.states.healthCounts.total
        let targets = [Segment("\(total) \(total == 1 ? "target" : "targets")   ", appearance[.faint])]
        let name = [Segment("reach", appearance[.title])]
        let source = [Segment("  \(model.source)", appearance[.faint])]
        let count = model.editing.unsaved
        let unsaved =
            count == 0 ? [] : [Segment("  \(count) unsaved", appearance[.degraded], link: .key(.character("W")))]

        // If the line is too short, the source is omitted first, then the number of targets, then the time.
        let right = [
            targets + counts + [Segment("   ", .plain)] + time,
            counts + [Segment("   ", .plain)] + time,
            // A frozen screen always shows that it is frozen, so that it is not mistaken for the current state.
            model.frozen == nil ? counts : time,
        ]
        let left = [name + source + unsaved, name + unsaved]
        let room = area.columns - 2
        for (leading, trailing) in [(left[0], right[0]), (left[1], right[0]), (left[1], right[1]), (left[1], right[2])]
        {
            guard leading.displayWidth + 2 + trailing.displayWidth <= room else { continue }
            return [(1, leading), (area.columns - 1 - trailing.displayWidth, trailing)]
        }
        return [(1, right[2])]
    }

    /// The number of targets by health, and of those that are flapping or acknowledged; zeros are omitted. A click on one filters by it.
    private var counts: [Segment] {
        let health = model.roster.states.healthCounts
        let glyphs = model.appearance.glyphs
        // If all failing targets are acknowledged, none of them stands out.
        let slowRole: Role = health.degraded > health.acknowledgedDegraded ? .degraded : .waiting
        let downRole: Role = health.down > health.acknowledgedDown ? .down : .waiting
        let groups: [(glyph: Character, role: Role, word: String, count: Int)] = [
            (glyphs.up, .up, "up", health.up),
            (glyphs.degraded, slowRole, "slow", health.degraded), (glyphs.down, downRole, "down", health.down),
            (glyphs.flapping, .degraded, "flapping", health.flapping),
            (glyphs.acknowledged, .waiting, "acknowledged", health.acknowledged),
            (glyphs.unknown, .waiting, "unknown", health.unknown),
            (glyphs.blocked, .waiting, "blocked", health.blocked),
            (glyphs.paused, .waiting, "paused", health.paused),
        ]
        let shown = groups.filter { $0.count > 0 }
        return shown.enumerated().flatMap { index, group in
            let (text, style) = ("\(group.glyph) \(group.count) \(group.word)", model.appearance[group.role])
            let count = Segment(text, style, link: .filter("is:\(group.word)"))
            return index == 0 ? [count] : [Segment("  ", style), count]
        }
    }
}
