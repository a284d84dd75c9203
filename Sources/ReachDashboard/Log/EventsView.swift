import ReachMonitoring
import ReachScreen

/// The events, newest first: as a pane below the table, or at full height with the output of hooks. In the pane, the
/// changes of a target while it flaps are one line.
///
/// ```
/// Events ──────────────────────────────────────────────────────────
/// 14:02:19 ○ NAS         down after 3 losses: refused   was up 3h02m
/// 13:58:40 ● Build host  up after 41s  ·  mount ok, 0.2s
/// ```
struct EventsView: View {
    let context: ViewContext
    /// The number of lines above the first visible one.
    var scroll = 0
    /// Whether the output of hooks is shown.
    var isFull = false

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = context.appearance
        frame.writeHeading("Events", in: area, appearance: appearance)
        if isFull {
            let count = context.log.lineCount
            let end = min(count, scroll + max(0, area.rows - 1))
            frame.writeScroll(min(scroll, end)..<end, of: count, in: area, appearance: appearance)
        }
        let lines = Self.lines(in: context, isFull: isFull, upTo: scroll + area.rows - 1, columns: area.columns - 2)
        frame.write(lines.dropFirst(scroll), in: area.belowHeading, ellipsis: appearance.glyphs.ellipsis)
    }

    private static func lines(in context: ViewContext, isFull: Bool, upTo limit: Int, columns: Int) -> [[Segment]] {
        let appearance = context.appearance
        let events =
            isFull
            ? context.log.entries.suffix(limit).reversed().map { EventLog.Folded(entry: $0, start: $0.time) }
            : context.log.folded(limit: limit)
        // As wide as the longest visible name, so that the texts are aligned.
        let width = min(24, columns / 4, max(8, events.map { $0.entry.subject.name.displayWidth }.max() ?? 0))
        var lines: [[Segment]] = []
        for event in events {
            guard lines.count < limit else { break }
            let entry = event.entry
            let (glyph, role) = mark(of: entry.subject, appearance.glyphs)
            let name = entry.subject.name.truncated(toColumns: width, ellipsis: appearance.glyphs.ellipsis)
            let start = [
                Segment("\(context.wall.timeOfDay(at: entry.time)) ", appearance[.faint]),
                // A mark at the start of the name would join the blank.
                Segment("\(glyph) ", appearance[role]), Segment("\(name.padded(toColumns: width))  ", appearance[role]),
            ]
            let available = columns - start.displayWidth
            let since = context.wall.timeOfDay(at: event.start)
            let changes = event.changes == 1 ? nil : "\(event.changes) changes since \(since)"
            lines.append(
                start + entry.segments(columns: available, changes: changes, hasOutput: !isFull, appearance: appearance)
            )
            guard isFull else { continue }
            lines += entry.linesBelow.map {
                [Segment("\(String(repeating: " ", count: 13 + width))\($0)", appearance[.faint])]
            }
        }
        return lines
    }

    /// The glyph of an event's subject, and its role.
    static func mark(of subject: EventEntry.Subject, _ glyphs: Glyphs) -> (Character, Role) {
        switch subject {
        case .health(_, let change): (glyphs.glyph(of: change.to), change.to.role)
        case .hook(_, true?): (glyphs.hook, .up)
        case .hook(_, false?): (glyphs.hook, .down)
        case .hook(_, nil): (glyphs.hook, .waiting)
        case .target: (glyphs.event, .text)
        case .blocked: (glyphs.blocked, .waiting)
        case .path(_, let isChange): (glyphs.path, isChange ? .accent : .text)
        case .shift(_, let isProblem, _): (glyphs.shift, isProblem ? .degraded : .up)
        case .flapping: (glyphs.flapping, .degraded)
        case .fault: (glyphs.fault, .down)
        case .cause(let isProblem): (glyphs.path, isProblem ? .down : .up)
        case .program(let isProblem): isProblem ? (glyphs.fault, .down) : (glyphs.event, .accent)
        }
    }
}

extension EventLog {
    /// The number of lines of the events at full height.
    var lineCount: Int { entries.reduce(0) { $0 + 1 + $1.linesBelow.count } }
}

extension EventEntry {
    /// The minimum widths of a shortened description, note and output.
    private static let (minimumText, minimumNote, minimumOutput) = (16, 20, 10)

    /// The description of the event, its note, and the results of its hook runs. If the line is too short, the note is
    /// omitted first, then the output; then the description is shortened, so that the results stay visible.
    ///
    /// - Parameters:
    ///   - changes: the changes that the line stands for, in place of the note. They stay visible too.
    ///   - hasOutput: whether the last line of a hook's output is part of the line.
    func segments(columns: Int, changes: String? = nil, hasOutput: Bool, appearance: Appearance) -> [Segment] {
        let shown = note.flatMap { hasOutput || !lines.contains($0) ? $0 : nil }
        let note = (changes ?? shown).map { [Segment("   \($0)", appearance[.faint])] } ?? []
        let text = [Segment(text, appearance[.text])]
        let results = results(hasOutput: hasOutput, appearance)
        if (text + note + results).displayWidth <= columns { return text + note + results }
        if changes == nil {
            // A list of names is useful in part, and `was up 3h02m` only whole.
            if runs.isEmpty { return columns - text.displayWidth < Self.minimumNote ? text : text + note }
            if (text + results).displayWidth <= columns { return text + results }
        }
        let brief = changes == nil ? self.results(hasOutput: false, appearance) : note
        let left = columns - brief.displayWidth
        guard text.displayWidth > left else {
            // The output of one run may be cut at the end of the line.
            let cutsOutput = changes == nil && runs.count == 1 && left - text.displayWidth >= Self.minimumOutput
            return text + (cutsOutput ? results : brief)
        }
        let short = self.text.truncated(
            toColumns: max(Self.minimumText, left),
            ellipsis: appearance.glyphs.ellipsis
        )
        return [Segment(short, appearance[.text])] + brief
    }

    private func results(hasOutput: Bool, _ appearance: Appearance) -> [Segment] {
        runs.flatMap { run in
            let output = hasOutput ? run.output.last.map { [Segment(": \($0)", appearance[.faint])] } ?? [] : []
            return [
                Segment("  · ", appearance[.faint]), Segment(" \(run.name) ", appearance[.text]),
                Segment(run.status, appearance[run.role]),
            ] + output
        }
    }
}
