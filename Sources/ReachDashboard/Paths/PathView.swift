import ReachMonitoring
import ReachScreen

/// The path to one target: a row for each hop with its figures, its word and a heat row over time, and where the path ends.
///
/// ```
/// ● Shop   198.51.100.7 by tcp to port 443
/// HOP  ADDRESS       NAME          LOSS    LAST    MEAN  WORD                LAST MINUTE
///   1  192.168.1.1   router.lan      0%   412µs   398µs  ok                  ████████████████████
///   2  10.1.0.1      bng1.isp       60%   3.1ms   3.0ms  limits its answers  █×█××█××█×███××█×█××
///                                                                            14:02:00  14:02:30
/// reaches the target
/// ```
struct PathView: View {
    private let context: ViewContext
    private let viewState: PathViewState
    private let size: Size
    private let state: TargetState?
    private let snapshot: PathSnapshot?
    private let table: PathTable
    private let layout: PathLayout
    private var appearance: Appearance { context.appearance }

    init(model: Model, viewState: PathViewState) {
        (context, self.viewState, size) = (ViewContext(model), viewState, model.size)
        state = context.roster[viewState.target]
        snapshot = state.map { $0.pathAbsence == nil } == true ? model.shownPath(to: viewState.target) : nil
        let table = PathTable(snapshot, in: context)
        self.table = table
        let width = { (text: (PathTable.Row) -> String) in table.rows.map { text($0).displayWidth }.max() ?? 0 }
        layout = PathLayout(
            columns: size.columns,
            addressWidth: width(\.address),
            nameWidth: viewState.hidesNames ? 0 : width(\.name),
            wordWidth: max(4, width(\.word.text))
        )
    }

    /// The time axis of the heat rows.
    var axis: TimeAxis {
        let span = viewState.detail.shortSpan
        // A watched hop has one result a second.
        let cells = min(layout.heat?.count ?? 1, Int(span.components.seconds))
        let end = context.chartEnd(showing: span)
        return TimeAxis(span, until: end, origin: context.chartOrigin, cells: max(1, cells))
    }

    // MARK: Areas

    /// The areas of the parts, from top to bottom.
    private struct Parts {
        let header: Area
        let headings: Area
        let hops: Area
        let labels: Area
        let notes: Area
        let events: Area
    }

    private func parts(in area: Area, notes: Int) -> Parts {
        var row = area.row
        func next(_ rows: Int) -> Area {
            defer { row += max(0, rows) }
            return Area(row: row, rows: max(0, min(rows, area.row + area.rows - row)), columns: area.columns)
        }
        let isLow = area.rows < 10
        let header = next(area.rows >= 5 ? 1 : 0)
        if !isLow { _ = next(1) }
        let headings = next(area.rows >= 4 ? 1 : 0)
        let labelRows = layout.heat == nil || isLow ? 0 : 1
        let left = area.row + area.rows - row
        let noteRows = min(notes, max(1, left / 2))
        let hops = next(min(table.rows.count, max(1, left - noteRows - labelRows)))
        let labels = next(labelRows)
        let end = next(noteRows)
        if !isLow { _ = next(1) }
        return Parts(
            header: header,
            headings: headings,
            hops: hops,
            labels: labels,
            notes: end,
            events: next(area.row + area.rows - row)
        )
    }

    /// Returns the number of lines of hops, and how many of them are visible at a time.
    func extent(in area: Area) -> (lines: Int, height: Int) {
        (table.rows.count, max(1, parts(in: area, notes: notes.count).hops.rows))
    }

    // MARK: Drawing

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, let state else { return }
        let notes = notes
        let parts = parts(in: area, notes: notes.count)
        frame.write([header(of: state)], in: parts.header, ellipsis: appearance.glyphs.ellipsis)
        guard snapshot != nil else {
            frame.write(
                notes,
                in: table.rows.isEmpty ? parts.headings : parts.notes,
                ellipsis: appearance.glyphs.ellipsis
            )
            return
        }
        drawHeadings(in: parts.headings, on: &frame)
        drawHops(in: parts.hops, on: &frame)
        if let heat = layout.heat, !parts.labels.isEmpty {
            let labels = ClockTicks(axis, wall: context.wall).labels(margin: 0, cells: axis.cells)
            write([Segment(labels, appearance[.faint])], in: heat, parts.labels.row, on: &frame)
        }
        frame.write(notes, in: parts.notes, ellipsis: appearance.glyphs.ellipsis)
        guard parts.events.rows >= 3 else { return }
        let events = TargetEventsPart(context: context, state: state)
        let lines = events.block(width: area.columns - 2, appearance: appearance)
        frame.write(lines.prefix(parts.events.rows), in: parts.events, ellipsis: appearance.glyphs.ellipsis)
    }

    /// The target, its health, and where the probes go.
    private func header(of state: TargetState) -> [Segment] {
        let cursor =
            context.cursor.map { [Segment("at \(context.clock(at: $0))   ", appearance[.accent])] } ?? []
        let identity = [
            Segment("\(state.glyph(appearance.glyphs)) ", appearance[state.role]),
            Segment(state.target.label, appearance[.title]),
        ]
        guard let destination = snapshot?.trace.destination, !destination.address.isEmpty else {
            return cursor + identity
        }
        let port = destination.port == 0 ? "" : " to port \(destination.port)"
        let text = "   \(destination.address) by \(destination.method.rawValue)\(port)"
        return cursor + identity + [Segment(text, appearance[.text])]
    }

    /// The largest packet, and where the path ends; or why there is no path.
    private var notes: [[Segment]] {
        guard let state else { return [] }
        if let absence = state.pathAbsence { return [[Segment(absence, appearance[.faint])]] }
        guard let snapshot else {
            let text = context.frozen == nil ? "waiting for the first answers" : "no results of this time"
            return [[Segment(text, appearance[.faint])]]
        }
        let mtu = snapshot.trace.mtu.text.map { [[Segment($0, appearance[.text])]] } ?? []
        let end = snapshot.end
        if let problem = snapshot.problem { return mtu + [[Segment(problem, appearance[.down])]] }
        let isMeasuring = snapshot.traced == nil && snapshot.trace.isMeasuring()
        let role: Role = isMeasuring ? .faint : end.isReached ? .up : end.isFault ? .down : .faint
        let text = isMeasuring ? "waiting for answers" : end.sentence
        let traced = snapshot.traced.map { _ in
            [
                Segment(
                    "as traced at \(context.wall.timeOfDay(at: snapshot.time)); no figures of this time",
                    appearance[.faint]
                )
            ]
        }
        return mtu + [[Segment(text, appearance[role])]] + (traced.map { [$0] } ?? [])
    }

    private func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let faint = appearance[.faint]
        write([Segment("HOP", faint)], in: layout.number, area.row, on: &frame)
        write([Segment("ADDRESS", faint)], in: layout.address, area.row, on: &frame)
        if let name = layout.name { write([Segment("NAME", faint)], in: name, area.row, on: &frame) }
        for (index, columns) in layout.figures {
            writeTrailing([Segment(PathTable.headings[index], faint)], in: columns, area.row, on: &frame)
        }
        write([Segment("WORD", faint)], in: layout.word, area.row, on: &frame)
        guard let heat = layout.heat else { return }
        let span = "LAST \(viewState.detail.shortSpan.lastSpanText.uppercased())"
        write([Segment(span, faint)], in: heat, area.row, on: &frame)
    }

    private func drawHops(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let scroll = max(0, min(viewState.detail.scroll, table.rows.count - area.rows))
        let visible = table.rows.dropFirst(scroll).prefix(area.rows)
        let axis = axis
        for (line, row) in visible.enumerated() { draw(row, row: area.row + line, axis, on: &frame) }
        frame.writeScrollMarks(visible.indices, of: table.rows.count, in: area, appearance)
    }

    private func draw(_ row: PathTable.Row, row line: Int, _ axis: TimeAxis, on frame: inout Frame) {
        let faint = appearance[.faint]
        if let number = row.number { writeTrailing([Segment("\(number)", faint)], in: layout.number, line, on: &frame) }
        write(
            [Segment(row.address, appearance[row.number == nil ? .faint : .text])],
            in: layout.address,
            line,
            on: &frame
        )
        guard row.number != nil else {
            drawLine(row, row: line, on: &frame)
            return
        }
        if let name = layout.name { write([Segment(row.name, faint)], in: name, line, on: &frame) }
        for (index, columns) in layout.figures where index < row.figures.count {
            let isLoss = index == 0 && row.word.style == appearance[.down]
            let role: Role = isLoss ? .down : index == 0 ? .faint : .text
            writeTrailing([Segment(row.figures[index], appearance[role])], in: columns, line, on: &frame)
        }
        write([row.word], in: layout.word, line, on: &frame)
        guard let heat = layout.heat, let results = row.results else { return }
        let cells = HeatRow(results, along: axis).cells(
            isFault: row.isFault,
            cursor: context.cursor.flatMap { axis.cell(of: $0) },
            appearance
        )
        frame.write(cells, at: Position(column: heat.lowerBound, row: line), limit: heat.count)
    }

    /// Writes a line about the hop above: another address with its remark, or a remark alone.
    private func drawLine(_ row: PathTable.Row, row line: Int, on frame: inout Frame) {
        let end = layout.word.upperBound
        guard !row.address.isEmpty else {
            return write(
                [row.name].map { Segment($0, appearance[.faint]) },
                in: layout.address.lowerBound..<end,
                line,
                on: &frame
            )
        }
        if let name = layout.name { write([Segment(row.name, appearance[.faint])], in: name, line, on: &frame) }
        let start = (layout.name ?? layout.address).upperBound + 2
        write([row.word], in: start..<max(start, end), line, on: &frame)
    }

    private func write(_ segments: [Segment], in columns: Range<Int>, _ row: Int, on frame: inout Frame) {
        let position = Position(column: columns.lowerBound, row: row)
        frame.write(segments, at: position, limit: columns.count, ellipsis: appearance.glyphs.ellipsis)
    }

    private func writeTrailing(_ segments: [Segment], in columns: Range<Int>, _ row: Int, on frame: inout Frame) {
        let start = columns.lowerBound + max(0, columns.count - segments.displayWidth)
        write(segments, in: start..<max(start, columns.upperBound), row, on: &frame)
    }
}
