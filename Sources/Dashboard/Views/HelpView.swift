import Screen

/// The keys and what they mean, made from the key table.
struct HelpView: View {
    let model: Model
    let scroll: Int

    /// How many lines help has.
    static var lineCount: Int { KeyTable.bindings.count + 3 }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let look = model.look
        frame.writeHead("Help", in: area, look: look)
        for (index, line) in lines.dropFirst(scroll).prefix(area.rows - 1).enumerated() {
            frame.write(
                line,
                at: Position(column: 1, row: area.row + 1 + index),
                limit: area.columns - 2,
                ellipsis: look.glyphs.ellipsis
            )
        }
    }

    private var lines: [[Segment]] {
        let look = model.look
        let glyphs = look.glyphs
        let legend: [(Character, Role, String)] = [
            (glyphs.up, .up, "up"), (glyphs.degraded, .degraded, "degraded"), (glyphs.down, .down, "down"),
            (glyphs.unknown, .waiting, "unknown"), (glyphs.paused, .waiting, "paused"),
            (glyphs.loss, .down, "lost probe"), (glyphs.clipped, .degraded, "above the scale"),
            (glyphs.hook, .accent, "hook"),
        ]
        let signs = legend.map { Segment("\($0) \($2)   ", look[$1]) }
        let keys = KeyTable.bindings.map { binding in
            [Segment(binding.name.padded(toColumns: 12), look[.title]), Segment(binding.help, look[.text])]
        }
        return keys + [[], signs, [Segment(Self.figures, look[.faint])]]
    }

    private static let figures =
        "P95, LOSS and JITTER cover the last 100 probes; up 2/3 means: two of the three losses that take it down"
}
