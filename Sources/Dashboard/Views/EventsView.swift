import Monitoring
import Screen

/// The newest events, newest first: as a pane below the table, or at full height with what hooks said.
///
/// ```
/// Events ──────────────────────────────────────────────────────────
/// 14:02:19 ○ NAS         down after 3 losses: connection refused   was up 3h02m
/// 13:58:40 ● Build host  up after 41s
/// ```
struct EventsView: View {
    let model: Model
    /// How many lines are scrolled past.
    var scroll = 0
    /// Whether the lines below the entries are shown.
    var isFull = false

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let look = model.look
        frame.writeHead("Events", in: area, look: look)

        let lines = Self.lines(of: model, isFull: isFull, upTo: scroll + area.rows - 1)
        for (index, line) in lines.dropFirst(scroll).prefix(area.rows - 1).enumerated() {
            frame.write(
                line,
                at: Position(column: 1, row: area.row + 1 + index),
                limit: area.columns - 2,
                ellipsis: look.glyphs.ellipsis
            )
        }
    }

    /// How many lines there are at full height.
    static func lineCount(of model: Model) -> Int {
        model.log.entries.reduce(0) { $0 + 1 + $1.lines.count }
    }

    private static func lines(of model: Model, isFull: Bool, upTo limit: Int) -> [[Segment]] {
        let look = model.look
        // As wide as the longest name that is seen, so that the texts stand in one column.
        let names = model.log.entries.suffix(limit).map { $0.subject.name.displayWidth }
        let width = min(24, max(8, names.max() ?? 0))
        var lines: [[Segment]] = []
        for entry in model.log.entries.reversed() {
            guard lines.count < limit else { break }
            let (glyph, role) = mark(of: entry.subject, look.glyphs)
            let name = entry.subject.name.truncated(toColumns: width, ellipsis: look.glyphs.ellipsis)
            var line = [
                Segment("\(model.wall.timeOfDay(at: entry.time)) ", look[.faint]),
                Segment("\(glyph) \(name.padded(toColumns: width))  ", look[role]),
                Segment(entry.text, look[.text]),
            ]
            if let aside = entry.aside { line.append(Segment("   \(aside)", look[.faint])) }
            lines.append(line)
            guard isFull else { continue }
            lines += entry.lines.map { [Segment("\(String(repeating: " ", count: 13 + width))\($0)", look[.faint])] }
        }
        return lines
    }

    static func mark(of subject: LogEntry.Subject, _ glyphs: Glyphs) -> (Character, Role) {
        switch subject {
        case .health(_, let change): (glyphs.glyph(of: change.to), change.to.role)
        case .hook(_, true?): (glyphs.hook, .up)
        case .hook(_, false?): (glyphs.hook, .down)
        case .hook(_, nil): (glyphs.hook, .waiting)
        case .target: (" ", .text)
        case .blocked: (glyphs.blocked, .waiting)
        case .flapping: (glyphs.flapping, .degraded)
        case .fault: (glyphs.fault, .down)
        case .program(let isTrouble): isTrouble ? (glyphs.fault, .down) : (" ", .accent)
        }
    }
}
