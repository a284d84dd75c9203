import Monitoring
import Screen

/// The first line: where the targets come from, how many there are, and how they are.
///
/// ```
///  reach  dashboard.toml                14 targets   ● 9 up  ◐ 1 slow  ○ 2 down  ‖ 1 paused   14:02:31
/// ```
struct HeaderView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let look = model.look
        let clock = model.wall.timeOfDay(at: model.now)
        let time =
            model.frozen == nil
            ? [Segment(clock, look[.text])] : [Segment("FROZEN ", look[.title]), Segment(clock, look[.accent])]
        let total = model.roster.standings.census.total
        let targets = [Segment("\(total) \(total == 1 ? "target" : "targets")   ", look[.faint])]
        let name = [Segment("reach", look[.title])]
        let source = [Segment("  \(model.source)", look[.faint])]

        // What matters less goes first when the line is short: the source, the number of targets, the time.
        let right = [
            targets + counts + [Segment("   ", .plain)] + time,
            counts + [Segment("   ", .plain)] + time,
            // A frozen screen that does not say so would be taken for the present.
            model.frozen == nil ? counts : time,
        ]
        let left = [name + source, name]
        let room = area.columns - 2
        for (leading, trailing) in [(left[0], right[0]), (left[1], right[0]), (left[1], right[1]), (left[1], right[2])]
        {
            guard leading.displayWidth + 2 + trailing.displayWidth <= room else { continue }
            frame.write(leading, at: Position(column: 1, row: area.row), limit: room, ellipsis: look.glyphs.ellipsis)
            let column = area.columns - 1 - trailing.displayWidth
            frame.write(
                trailing,
                at: Position(column: column, row: area.row),
                limit: room,
                ellipsis: look.glyphs.ellipsis
            )
            return
        }
        frame.write(right[2], at: Position(column: 1, row: area.row), limit: room, ellipsis: look.glyphs.ellipsis)
    }

    /// How many targets have each health; those that none has are left out.
    private var counts: [Segment] {
        let census = model.roster.standings.census
        let glyphs = model.look.glyphs
        let groups: [(glyph: Character, role: Role, word: String, count: Int)] = [
            (glyphs.up, .up, "up", census.up),
            (glyphs.degraded, .degraded, "slow", census.degraded),
            (glyphs.down, .down, "down", census.down),
            (glyphs.unknown, .waiting, "unknown", census.unknown),
            (glyphs.blocked, .waiting, "blocked", census.blocked),
            (glyphs.paused, .waiting, "paused", census.paused),
        ]
        let shown = groups.filter { $0.count > 0 }
        return shown.enumerated().map { index, group in
            Segment("\(index == 0 ? "" : "  ")\(group.glyph) \(group.count) \(group.word)", model.look[group.role])
        }
    }
}
