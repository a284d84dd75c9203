import ReachMonitoring
import ReachScreen

/// The strips: a row for each target, and a cell for each slice of the time until now, which shows its worst state. Below
/// are the outages of the selected target, or of the selected slice.
///
/// ```
///    TARGET   LAST 30 DAYS, 8 hours each             24 H     30 D COVERAGE
///  ● Router   ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄      100%   99.77%     100%
/// ▸○ NAS      ····▄▄▄▄▄▄▆▄▄▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄█    99.31%   99.64%      87%
///             23 Oct              2 Nov         now
///  NAS ────────────────────────────────────────────────────────────────────
///  ○ 12 Nov 03:12:08 – 05:40:51   2h28m  timeout
/// ```
struct StripsView: View {
    let context: ViewContext
    let selected: Row.ID?
    private let order: RowOrder
    private let viewState: StripsViewState
    private let emptyText: String
    let layout: StripsLayout
    /// The slices.
    let axis: StripAxis

    init(model: Model) {
        context = ViewContext(model)
        (selected, order) = (model.selection.id, model.list.order)
        (viewState, emptyText) = (model.strips, model.emptyText)
        layout = StripsLayout(
            model.areas.body,
            count: order.positions.count,
            nameWidth: model.list.texts.nameWidth
        )
        let end = context.wallNow
        axis = StripAxis(from: end - viewState.span, until: end, limit: layout.stripWidth, zone: context.zone)
    }

    /// The index of the selected target among the shown ones.
    var index: Int? { order.index(of: selected, in: context.roster) }

    /// The positions of the targets with visible rows.
    var visible: ArraySlice<Int> {
        order.positions.dropFirst(viewState.scroll).prefix(layout.list.rows)
    }

    /// The positions of the targets with rows on the pages after and before.
    var nearby: [Int] {
        let (positions, rows) = (order.positions, layout.list.rows)
        let after = positions.dropFirst(viewState.scroll + rows).prefix(rows)
        return Array(after) + positions.prefix(viewState.scroll).suffix(rows)
    }

    /// The selected slice; nil if all of them are.
    var slice: Range<Duration>? {
        viewState.cursor.flatMap { axis.index(of: $0) }.map { axis.slice($0) }
    }

    /// The row of the selected target; nil without one.
    var selectedRow: StripRow? {
        guard case .target(let id) = selected else { return nil }
        return StripRow(context.spans(of: [id])[id] ?? [], along: axis)
    }

    /// The target and the slice at a screen position. Without a slice, the position is beside the strip.
    func target(at position: Position) -> (target: Target.ID, slice: Range<Duration>?)? {
        guard layout.list.contains(position) else { return nil }
        let row = position.row - layout.list.row
        guard row < visible.count else { return nil }
        let id = context.roster.states[visible[visible.startIndex + row]].id
        let cell = position.column - layout.first
        return (id, (0..<axis.count).contains(cell) ? axis.slice(cell) : nil)
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        guard !order.positions.isEmpty else {
            let position = Position(column: 3, row: area.row)
            frame.write(emptyText, at: position, style: context.appearance[.faint], limit: area.columns - 4)
            return
        }
        let states = context.roster.states
        let shown = visible
        let spans = context.spans(of: shown.map { states[$0].id })
        for (line, position) in shown.enumerated() {
            let state = states[position]
            let row = StripRow(spans[state.id] ?? [], along: axis)
            draw(row, of: state, row: layout.list.row + line, on: &frame)
        }
        let range = viewState.scroll..<viewState.scroll + shown.count
        frame.writeScrollMarks(range, of: order.positions.count, in: layout.list, context.appearance)
        drawHeadings(on: &frame)
        drawLabels(on: &frame)
        OutagesPane(view: self).draw(in: layout.outages, on: &frame)
    }

    // MARK: Rows

    private func draw(_ row: StripRow, of state: TargetState, row line: Int, on frame: inout Frame) {
        let (appearance, width) = (context.appearance, layout.names.count)
        let isSelected = selected == .target(state.id)
        if isSelected { frame.writeSelectionMark(row: line, appearance) }
        let glyph = String(state.glyph(appearance.glyphs))
        frame.write(glyph, at: Position(column: 1, row: line), style: appearance[state.role])
        let name = state.target.label.truncated(toColumns: width, ellipsis: appearance.glyphs.ellipsis)
        let nameStyle = appearance[state.isPausedOrBlocked ? .waiting : .text]
        let start = Position(column: layout.names.lowerBound, row: line)
        frame.write(name, at: start, style: isSelected ? Style(nil, .reversed) : nameStyle)
        frame.write(row.states.cells(appearance), at: Position(column: layout.first, row: line))
        if isSelected, let cursor = viewState.cursor.flatMap({ axis.index(of: $0) }) {
            let column = layout.first + cursor
            frame.restyle(row: line, columns: column..<column + 1) {
                Style($0.foreground, $0.attributes.union(.reversed))
            }
        }
        let coverage = Segment(row.account.coverage.coverageText, appearance[.faint])
        let sla = state.target.sla
        let day = Segment(availability: row.availability(ofLast: .seconds(86_400)), of: sla, appearance)
        let whole = Segment(availability: row.account.availability, of: sla, appearance)
        draw([whole, coverage, day], row: line, on: &frame)
    }

    /// Writes figures: those of the period, its coverage, and the day, of which the last are left out first.
    private func draw(_ figures: [Segment], row: Int, on frame: inout Frame) {
        let isDay = viewState.span == .seconds(86_400)
        let shown = figures.prefix(isDay ? min(2, layout.figures) : layout.figures)
        // From left to right: the day, the period, the coverage.
        let ordered = shown.dropFirst(2) + shown.prefix(2)
        for (index, figure) in ordered.enumerated() {
            let end = layout.first + axis.count + (index + 1) * StripsLayout.figureWidth
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
        frame.write("TARGET", at: Position(column: layout.names.lowerBound, row: row), style: style)
        let span = viewState.span
        let (heading, note) = (Self.heading(of: span), note.map { " – \($0)" } ?? "")
        let each = ", \(axis.step.lastSpanText.counted) each"
        let texts = [heading + each + note, heading + note, heading + each, heading]
        let text = texts.first { $0.displayWidth <= axis.count } ?? heading
        frame.write(
            text.truncated(toColumns: max(1, axis.count), ellipsis: context.appearance.glyphs.ellipsis),
            at: Position(column: layout.first, row: row),
            style: style
        )
        let headings = [Self.shortHeading(of: span), "COVERAGE", Self.shortHeading(of: .seconds(86_400))]
        draw(headings.map { Segment($0, style) }, row: row, on: &frame)
    }

    /// Why the strips do not show the whole past; nil if they do.
    private var note: String? {
        if context.history.problem != nil { return "this run only" }
        let isRead = visible.allSatisfy { context.history.past(of: context.roster.states[$0].id) != nil }
        return isRead ? nil : "reading the history"
    }

    private func drawLabels(on frame: inout Frame) {
        guard layout.labels.rows > 0 else { return }
        let row = layout.labels.row
        let text = StripTicks(axis, zone: context.zone).line(cells: axis.count)
        frame.write(text, at: Position(column: layout.first, row: row), style: context.appearance[.faint])
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
    /// The first visible row.
    private(set) var scroll = 0
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

    /// Scrolls so that a row is visible.
    mutating func reveal(row: Int, of rows: Int, height: Int) {
        scroll = scroll.revealing(row, of: rows, height: height)
    }
}
