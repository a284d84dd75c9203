import ReachMonitoring
import ReachScreen

/// The events, newest first: as a pane below the table, or at full height with a selected line and the output of hooks.
///
/// ```
/// Events ──────────────────────────────────────────────────────────
/// 14:02:19 ○ NAS           down after 3 losses: refused   was up 3h02m
/// 14:01:02 ○ 50 of hall-b  down: timeout   sw-b-01, sw-b-02, sw-b-03, …
/// 13:58:40 ● Build host    up after 41s  ·  mount ok, 0.2s
/// ```
struct EventsView: View {
    private let context: ViewContext
    private let list: EventList
    /// The state of the view at full height; nil in the pane.
    private let viewState: EventsViewState?
    private var isFull: Bool { viewState != nil }

    init(model: Model, viewState: EventsViewState? = nil) {
        context = ViewContext(model)
        list = model.eventList(viewState)
        self.viewState = viewState
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = context.appearance
        frame.writeHeading("Events", in: area, appearance: appearance)
        let height = area.rows - 1
        let scroll = viewState?.scroll ?? 0
        if isFull {
            let count = list.height
            frame.writeScroll(scroll..<min(count, scroll + max(0, height)), of: count, in: area, appearance: appearance)
        }
        // The first visible line may have its heading above the screen.
        let lines = list.lines(from: scroll, height: height, isFull: isFull)
        let texts = lines.shown.map { list.text(of: $0, in: context) }
        // As wide as the longest visible name, so that the texts are aligned.
        let columns = area.columns - 2
        let width = min(24, columns / 4, max(8, texts.map { $0.name.displayWidth }.max() ?? 0))
        let times = texts.map { time(of: $0.entry, withDay: !texts.allSatisfy { context.isToday($0.entry.time) }) }
        var row = area.row + 1 - lines.hidden
        for (index, line) in lines.shown.enumerated() {
            let segments = segments(of: line, texts[index], at: times[index], nameWidth: width, columns: columns)
            for (offset, segments) in segments.enumerated() where (1...height).contains(row + offset - area.row) {
                let position = Position(column: area.column + 1, row: row + offset)
                frame.write(segments, at: position, limit: columns, ellipsis: appearance.glyphs.ellipsis)
            }
            if row > area.row, line.id == list.selected {
                frame.writeSelectionMark(row: row, appearance)
            }
            row += segments.count
        }
    }

    /// The time of day; in a list with events of earlier days, also the day of those.
    private func time(of entry: EventEntry, withDay hasDay: Bool) -> String {
        let clock = context.wall.timeOfDay(at: entry.time)
        guard hasDay else { return clock }
        guard !context.isToday(entry.time) else { return "    \(clock)" }
        return "\(context.wall.zone.day(context.wall.start + entry.time)) \(clock.prefix(5))"
    }

    /// The line, and at full height the output below it.
    private func segments(
        of line: EventList.Line,
        _ text: EventList.LineText,
        at time: String,
        nameWidth: Int,
        columns: Int
    ) -> [[Segment]] {
        let appearance = context.appearance
        let entry = text.entry
        let (glyph, role) = Self.mark(of: entry.subject, appearance.glyphs)
        let indent = line.isPart ? "  " : ""
        let name = (indent + text.name).truncated(toColumns: nameWidth, ellipsis: appearance.glyphs.ellipsis)
        let start = [
            Segment("\(time) ", appearance[.faint]),
            // A mark at the start of the name would join the blank.
            Segment("\(glyph) ", appearance[role]),
            Segment("\(name.padded(toColumns: nameWidth))  ", appearance[role]),
        ]
        let rest = entry.segments(
            columns: columns - start.displayWidth,
            changes: text.changes,
            hasOutput: !isFull,
            appearance: appearance
        )
        let below = isFull ? list.linesBelow(line) : []
        let blanks = String(repeating: " ", count: 5 + time.count + nameWidth)
        return [start + rest] + below.map { [Segment("\(blanks)\($0)", appearance[.faint])] }
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

extension EventList {
    /// The output below a line at full height, and the evidence below the selected one.
    func linesBelow(_ line: Line) -> [String] {
        guard !line.isFolded else { return [] }
        let entry = newest(of: line)
        return (line.id == selected ? entry.evidence : []) + entry.linesBelow
    }

    /// The number of rows of a line at full height.
    private func height(of line: Line) -> Int { 1 + linesBelow(line).count }

    /// The number of rows at full height.
    var height: Int { lines.reduce(0) { $0 + height(of: $1) } }

    /// The first row and the number of rows of a line at full height.
    func rows(ofLine index: Int) -> Range<Int> {
        let start = lines[..<index].reduce(0) { $0 + height(of: $1) }
        return start..<start + height(of: lines[index])
    }

    /// The lines that a number of rows shows.
    ///
    /// - Parameters:
    ///   - first: the first row, at full height.
    /// - Returns: The lines, and the number of rows of the first one that are above the others.
    func lines(from first: Int, height: Int, isFull: Bool) -> (shown: [Line], hidden: Int) {
        guard isFull else { return (Array(lines.prefix(max(0, height))), 0) }
        var (row, shown, hidden) = (0, [Line](), 0)
        for line in lines where row < first + height {
            let end = row + self.height(of: line)
            if end > first {
                if shown.isEmpty { hidden = first - row }
                shown.append(line)
            }
            row = end
        }
        return (shown, max(0, hidden))
    }

    /// The index of the line at a row at full height; nil below the last one.
    func line(atRow row: Int) -> Int? {
        lines.indices.first { rows(ofLine: $0).contains(row) }
    }
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
