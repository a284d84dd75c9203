import ReachMonitoring
import ReachScreen

/// The strips: a row for each target, below the headings of groups, with the worst state of each slice of the time until now.
/// Below them, or on a wide screen beside them, are the outages of the selected target, or of the selected slice, which is
/// marked below the strips.
///
/// ```
///    TARGET   LAST 30 DAYS, 8 hours each             24 H     30 D COVERAGE
///  ▾ Home ─────────────────────────────────────────────────── 1/2 up, 1 down ──
///  ● Router   ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄      100%   99.77%     100%
/// ▸○ NAS      ····▄▄▄▄▄▄▆▄▄▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄█    99.31%   99.64%      87%
///             23 Oct           ▲  2 Nov         now
///  NAS ────────────────────────────────────────────────────────────────────
///  ○ 12 Nov 03:12:08 – 05:40:51   2h28m  timeout
/// ```
struct StripsView: View {
    let context: ViewContext
    private let table: TableView
    private let viewState: StripsViewState
    let layout: StripsLayout
    /// The cells of the strips.
    let cells: StripCells

    init(model: Model) {
        (context, table, viewState) = (ViewContext(model), TableView(model: model), model.strips)
        layout = StripsLayout(
            model.areas.body,
            count: table.list.rows.count,
            nameWidth: model.list.texts.nameWidth,
            // The day is the period itself.
            figures: viewState.span == .seconds(86_400) ? 2 : 3
        )
        cells = StripCells(
            ofLast: viewState.span,
            until: context.wallNow,
            width: layout.stripWidth,
            zone: context.zone
        )
    }

    /// The slices.
    var axis: StripAxis { cells.axis }

    /// The selected row.
    var selected: Row.ID? { table.selected }

    /// The visible rows, from the top. In a scrolled list, the first one is the heading of the group of those below it.
    private var visibleRows: [Row] {
        let rows = table.list.rows
        return (0..<max(0, min(layout.list.rows, rows.count - table.scroll))).map { line in
            rows[table.row(atLine: line, of: layout.list.rows)]
        }
    }

    /// The positions of the targets with visible rows.
    var visible: [Int] { visibleRows.compactMap(\.position) }

    /// The positions of the targets whose strips the next key may show: those on the pages after and before, and all if their
    /// availability decides the order.
    var nearby: [Int] {
        guard !table.list.sort.isAvailability else { return table.list.order.positions }
        let (rows, height) = (table.list.rows, layout.list.rows)
        let after = rows.dropFirst(table.scroll + height).prefix(height)
        return (Array(after) + rows.prefix(table.scroll).suffix(height)).compactMap(\.position)
    }

    /// The selected slice; nil if all of them are.
    var slice: Range<Duration>? {
        viewState.cursor.flatMap { axis.index(of: $0) }.map { axis.slice($0) }
    }

    /// The row of the selected target; nil without one.
    var selectedRow: StripRow? {
        guard case .target(let id) = selected else { return nil }
        return StripRow(context.spans(of: [id])[id] ?? [], along: cells)
    }

    /// The row and the slice at a screen position. Without a slice, the position is beside the strip.
    func row(at position: Position) -> (id: Row.ID, slice: Range<Duration>?)? {
        let (rows, line) = (visibleRows, position.row - layout.list.row)
        guard layout.list.contains(position), line < rows.count else { return nil }
        let cell = position.column - layout.first
        guard rows[line].id.isTarget, (0..<cells.count).contains(cell) else { return (rows[line].id, nil) }
        return (rows[line].id, axis.slice(cells.slice(ofCell: cell)))
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        guard !table.list.rows.isEmpty else {
            let position = Position(column: 3, row: area.row)
            frame.write(table.emptyText, at: position, style: context.appearance[.faint], limit: area.columns - 4)
            return
        }
        let states = context.roster.states
        let (shown, rows) = (visible, visibleRows)
        let spans = context.spans(of: shown.map { states[$0].id })
        for (line, row) in rows.enumerated() {
            let line = layout.list.row + line
            switch row {
            case .group(let name, let members, _):
                table.drawHeading(name, members, isFolded: false, row: line, columns: layout.list.columns, on: &frame)
            case .target(let id, let position):
                draw(StripRow(spans[id] ?? [], along: cells), of: states[position], row: line, on: &frame)
            }
            // A strip in reverse video would be black where it is full.
            if row.id == selected { table.highlight(row, line: line, columns: layout.title(of: row), on: &frame) }
            table.writeMark(of: row, line: line, on: &frame)
        }
        let range = table.scroll..<table.scroll + rows.count
        frame.writeScrollMarks(range, of: table.list.rows.count, in: layout.list, context.appearance)
        drawHeadings(on: &frame)
        drawLabels(on: &frame)
        let pane = OutagesPane(view: self)
        pane.draw(in: layout.outages, on: &frame)
        pane.drawLegend(in: layout.legend, on: &frame)
    }

    // MARK: Rows

    private func draw(_ row: StripRow, of state: TargetState, row line: Int, on frame: inout Frame) {
        let (appearance, width) = (context.appearance, layout.names.count)
        let glyph = String(state.glyph(appearance.glyphs))
        frame.write(glyph, at: Position(column: 1, row: line), style: appearance[state.role])
        let name = state.target.label.shortened(toColumns: width, ellipsis: appearance.glyphs.ellipsis)
        let nameStyle = appearance[state.isPausedOrBlocked ? .waiting : .text]
        frame.write(name, at: Position(column: layout.names.lowerBound, row: line), style: nameStyle)
        frame.write(row.states.cells(appearance), at: Position(column: layout.first, row: line))
        let coverage = Segment(row.account.coverage.coverageText, appearance[.faint])
        let sla = state.target.sla
        let day = Segment(availability: row.availability(ofLast: .seconds(86_400)), of: sla, appearance)
        let whole = Segment(availability: row.account.availability, of: sla, appearance)
        draw([whole, coverage, day], row: line, on: &frame)
    }

    /// Writes figures: those of the period, its coverage, and the day, of which the last are left out first.
    private func draw(_ figures: [Segment], row: Int, on frame: inout Frame) {
        let shown = figures.prefix(layout.figures)
        // From left to right: the day, the period, the coverage.
        let ordered = shown.dropFirst(2) + shown.prefix(2)
        for (index, figure) in ordered.enumerated() {
            let end = layout.first + cells.count + (index + 1) * StripsLayout.figureWidth
            frame.write(
                figure.text,
                at: Position(column: end - figure.text.displayWidth, row: row),
                style: figure.style
            )
        }
    }

    private func drawHeadings(on frame: inout Frame) {
        let (row, style) = (layout.headings.row, context.appearance[.faint])
        guard layout.headings.rows > 0 else { return }
        let (sort, glyphs) = (table.list.sort, context.appearance.glyphs)
        let mark = table.list.isReversed ? glyphs.ascending : glyphs.descending
        frame.write(
            "TARGET\(sort == .name ? " \(mark)" : "")",
            at: Position(column: layout.names.lowerBound, row: row),
            style: style
        )
        let span = viewState.span
        let (heading, note) = (Self.heading(of: span), note.map { " – \($0)" } ?? "")
        let each = ", \(axis.step.lastSpanText.counted) each"
        let texts = [heading + each + note, heading + note, heading + each, heading]
        let text = texts.first { $0.displayWidth <= cells.count } ?? heading
        frame.write(
            text.truncated(toColumns: max(1, cells.count), ellipsis: context.appearance.glyphs.ellipsis),
            at: Position(column: layout.first, row: row),
            style: style
        )
        let period = Self.shortHeading(of: span) + (sort.isAvailability ? "\(mark)" : "")
        let headings = [period, "COVERAGE", Self.shortHeading(of: .seconds(86_400))]
        draw(headings.map { Segment($0, style) }, row: row, on: &frame)
    }

    /// Why the strips do not show the whole past; nil if they do.
    private var note: String? {
        if context.history.problem != nil { return "this run only" }
        let isRead = visible.allSatisfy { context.history.past(of: context.roster.states[$0].id) != nil }
        return isRead ? nil : "reading the history"
    }

    /// Draws the labels of the slices, and the mark of the selected one in place of what it covers.
    private func drawLabels(on frame: inout Frame) {
        guard layout.labels.rows > 0 else { return }
        let (row, appearance) = (layout.labels.row, context.appearance)
        let slice = viewState.cursor.flatMap { axis.index(of: $0) }
        let marked = slice.map { cells.cell(ofSlice: $0)..<cells.cell(ofSlice: $0 + 1) } ?? 0..<0
        let text = StripTicks(cells, zone: context.zone).line(cells: cells.count, except: marked)
        frame.write(text, at: Position(column: layout.first, row: row), style: appearance[.faint])
        let columns = layout.first + marked.lowerBound..<layout.first + marked.upperBound
        frame.fill(row: row, columns: columns, with: appearance.glyphs.ascending, style: appearance[.accent])
    }

    /// `LAST 30 DAYS`.
    private static func heading(of span: Duration) -> String {
        span == .seconds(86_400) ? "LAST 24 HOURS" : "LAST \(span.lastSpanText.uppercased())"
    }

    /// `30 D`.
    static func shortHeading(of span: Duration) -> String {
        let hours = span.components.seconds / 3_600
        return hours <= 24 ? "\(hours) H" : "\(hours / 24) D"
    }
}

extension String {
    /// A span after `last` as a count: `hour` is `1 hour`.
    var counted: String {
        first?.isNumber == true ? self : "1 \(self)"
    }
}

/// The state of the strips: their time, the selected slice and the scroll position.
struct StripsViewState: Sendable {
    /// The times that the user can select: an hour, a day, a week, 30 and 90 days.
    static let spans: [Duration] = [1, 24, 7 * 24, 30 * 24, 90 * 24].map { .seconds($0 * 3_600) }

    /// The time until now that the strips show: one of ``spans``.
    private(set) var span = spans[1]
    /// A time in the selected slice, since 1970; nil if all of them are.
    private(set) var cursor: Duration?

    /// Selects the next longer or shorter time.
    ///
    /// - Returns: Whether there is one.
    mutating func changeSpan(isLonger: Bool) -> Bool {
        let before = span
        span = Self.spans.next(to: span, isLonger: isLonger)
        return span != before
    }

    /// Selects a slice; nil selects all.
    mutating func select(_ slice: Range<Duration>?) {
        // Its end stays in the period longest.
        cursor = slice.map { $0.upperBound - .milliseconds(1) }
    }

    /// Selects all slices if the selected one is not in the period any more.
    mutating func reconcile(with axis: StripAxis) {
        if let cursor, axis.index(of: cursor) == nil { self.cursor = nil }
    }
}
