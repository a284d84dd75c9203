import ReachMonitoring
import ReachScreen

/// The table: a row for each target, below the headings of groups.
///
/// ```
///    TARGET          URL                   HEALTH          LAST    P95  LOSS  JITTER  LAST 60 s               FOR
///  ▾ Home ──────────────────────────────────────────────────────────────────────────────────────── 2/3 up ──
///  ● Router          icmp 192.168.1.1      up             1.2ms  2.1ms    0%   0.3ms  ▁▁▂▁▁▁▃▁▁▁▁▁▂▁▁     2h14m
/// ▸○ NAS             tcp  nas.local:445    down  refused      –  0.9ms   31%       –  ▁▁▁▁▁▁▁▁▁××××××       12s
/// ```
///
/// In a scrolled table, the first line is the heading of the group of the rows below it.
struct TableView: View {
    let context: ViewContext
    let list: RowList
    let fleet: FleetState
    /// The selected row; nil if none is marked.
    var selected: Row.ID?
    /// The first visible row.
    var scroll: Int
    /// The text in place of rows.
    let emptyText: String
    private let layout: ColumnLayout<TableColumn>
    /// The width of the methods in the column of the URL; 0 hides them.
    private let methodWidth: Int
    /// The width and time of the sparklines; if they are hidden, those of the narrowest ones.
    private let sparkline: SparklineSpan
    /// The time axis of the sparklines.
    let axis: TimeAxis

    /// The columns of the selection mark, the health glyph and a blank.
    private static let margin = 3

    init(model: Model) {
        context = ViewContext(model)
        (list, fleet, emptyText) = (model.list, model.fleet, model.emptyText)
        (selected, scroll) = (model.selection.id, model.selection.scroll)
        let texts = list.texts
        let columns = model.columns.shown.filter { $0 != .url || texts.hasURLs }
        let needs = ColumnNeeds(
            name: texts.nameWidth,
            distinctName: texts.distinctNameWidth,
            group: texts.groupWidth,
            method: texts.methodWidth,
            host: texts.hostWidth,
            url: texts.urlWidth,
            health: list.healthWidth.width,
            sorted: columns.first { [list] in $0.sort == list.sort }
        )
        // The last two columns are a blank and the marks of hidden rows.
        layout = needs.layout(of: columns, width: max(1, model.size.columns - Self.margin - 2))
        methodWidth = needs.hasMethods(inColumnOf: layout[.url]?.count ?? 0) ? texts.methodWidth : 0
        sparkline = layout[.chart].map { SparklineSpan(fitting: $0.count - TableColumn.chart.indent) } ?? .narrowest
        axis = TimeAxis(sparkline, until: context.chartEnd, origin: context.chartOrigin)
    }

    /// Draws the headings. The one of the sort order shows the direction.
    func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        for column in layout.columns {
            var heading = column.id == .chart ? sparkline.heading : column.id.heading
            if column.id.sort == list.sort {
                let glyphs = context.appearance.glyphs
                let width = column.range.count
                // The blank, and then the end of the heading, are omitted if they do not fit.
                if heading.displayWidth + 2 <= width { heading += " " }
                if heading.displayWidth >= width { heading = String(heading.prefix(max(0, width - 1))) }
                heading.append(list.isReversed ? glyphs.ascending : glyphs.descending)
            }
            draw([Segment(heading, context.appearance[.faint])], in: column, row: area.row, on: &frame)
        }
    }

    /// The column at a screen column; the blanks after a heading belong to it.
    func column(at position: Int) -> TableColumn? {
        layout.columns.first { position - Self.margin <= $0.range.upperBound }?.id
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        if list.rows.isEmpty {
            frame.write(emptyText, at: Position(column: 3, row: area.row), style: context.appearance[.faint])
            return
        }
        for index in 0..<visibleRows(of: area.rows) { drawRow(atLine: index, in: area, on: &frame) }
        frame.writeScrollMarks(visibleRows(in: area), of: list.rows.count, in: area, context.appearance)
    }

    /// Draws what has changed since an earlier frame of the same rows.
    ///
    /// - Parameters:
    ///   - targets: the targets with replies, which change a part of their rows.
    ///   - rows: the rows that the selection has left or reached.
    func drawChanges(of targets: Set<Target.ID>, rows: Set<Row.ID>, in area: Area, on frame: inout Frame) {
        let columns = layout.columns.filter(\.id.followsReplies)
        for index in 0..<visibleRows(of: area.rows) {
            let (line, row) = (area.row + index, list.rows[row(atLine: index, of: area.rows)])
            if rows.contains(row.id) {
                frame.clear(row: line)
                drawRow(atLine: index, in: area, on: &frame)
            } else if case .target(let id, let position) = row, targets.contains(id) {
                let cells = cells(ofTargetAt: position)
                for column in columns {
                    let (start, end) = (Self.margin + column.range.lowerBound, Self.margin + column.range.upperBound)
                    frame.fill(row: line, columns: start..<end)
                    draw(column, of: cells, row: line, on: &frame)
                    if row.id == selected { reverse(line: line, columns: start..<end, isTarget: true, on: &frame) }
                }
            }
        }
        // On a narrow screen, a row reaches below them.
        frame.writeScrollMarks(visibleRows(in: area), of: list.rows.count, in: area, context.appearance)
    }

    /// The number of visible rows in so many lines.
    private func visibleRows(of lines: Int) -> Int { max(0, min(lines, list.rows.count - scroll)) }

    private func drawRow(atLine index: Int, in area: Area, on frame: inout Frame) {
        let (line, row) = (area.row + index, list.rows[row(atLine: index, of: area.rows)])
        switch row {
        case .group(let name, let members, let isFolded):
            drawHeading(name, members, isFolded: isFolded, row: line, columns: area.columns, on: &frame)
        case .target(_, let position):
            let cells = cells(ofTargetAt: position)
            frame.write(
                String(cells.glyph),
                at: Position(column: 1, row: line),
                style: context.appearance[cells.role]
            )
            for column in layout.columns { draw(column, of: cells, row: line, on: &frame) }
        }
        // The last column is that of the marks of hidden rows.
        if row.id == selected { highlight(row, line: line, columns: 0..<max(0, area.columns - 1), on: &frame) }
        writeMark(of: row, line: line, on: &frame)
    }

    private func cells(ofTargetAt position: Int) -> TableRow {
        TableRow(
            state: context.roster.states[position],
            context: context,
            methodWidth: methodWidth,
            axis: axis
        )
    }

    /// Draws which of the targets are visible, at the end of the rule below the table.
    func drawRange(in areas: Areas, on frame: inout Frame) {
        let visible = visibleRows(in: areas.list)
        guard !areas.events.isEmpty, visible.count < list.rows.count else { return }
        let order = list.order
        frame.writeRange(
            order.targets(ofRows: visible),
            of: order.positions.count,
            in: areas.events,
            appearance: context.appearance
        )
    }

    private func visibleRows(in area: Area) -> Range<Int> {
        let first = heading(of: area.rows) == nil ? scroll : scroll + 1
        return first..<max(first, min(list.rows.count, scroll + area.rows))
    }

    /// Returns the row that a line of the table shows: the first line shows the heading of its group, if that is above the
    /// visible rows.
    func row(atLine line: Int, of height: Int) -> Int {
        line == 0 ? heading(of: height) ?? scroll : scroll + line
    }

    /// The heading in place of the first visible row; nil if that row is shown.
    private func heading(of height: Int) -> Int? {
        height < Selection.minRowsWithHeading ? nil : list.order.heading(aboveRow: scroll)
    }

    func drawHeading(
        _ name: String?,
        _ members: Range<Int>,
        isFolded: Bool,
        row: Int,
        columns: Int,
        on frame: inout Frame
    ) {
        let glyphs = context.appearance.glyphs
        let counted = list.filter.isEmpty ? fleet.counted[name ?? ""] ?? 0 : 0
        let isClosed = counted > 0 && !fleet.opened.contains(name ?? "")
        let heading = GroupHeading(
            name: name,
            members: list.order.positions[members],
            of: context.roster.states,
            size: list.texts.groupSizes[name],
            counted: counted,
            countedHealth: fleet.countedHealth,
            mark: isFolded || isClosed ? glyphs.folded : glyphs.unfolded,
            isChanged: context.isHighlighted(.group(name))
        )
        frame.write(
            heading.segments(columns: columns - 3, appearance: context.appearance),
            at: Position(column: 1, row: row),
            limit: columns - 2,
            ellipsis: glyphs.ellipsis
        )
    }

    /// Marks the selected row, and draws these columns of it in reverse video.
    func highlight(_ row: Row, line: Int, columns: Range<Int>, on frame: inout Frame) {
        frame.writeSelectionMark(row: line, context.appearance)
        reverse(line: line, columns: columns, isTarget: row.id.isTarget, on: &frame)
    }

    /// Reverses columns of the selected row. Only problems keep their colour: many colours in reverse video are hard to read. What
    /// has just changed stays bold, or stands out by not being reversed; a heading is bold anyway.
    private func reverse(line: Int, columns: Range<Int>, isTarget: Bool, on frame: inout Frame) {
        let appearance = context.appearance
        let problems = [appearance[.down], appearance[.degraded]].compactMap(\.foreground)
        frame.restyle(row: line, columns: columns) { style in
            let isProblem = style.foreground.map(problems.contains) ?? false
            let attributes = isTarget || isProblem ? style.attributes.intersection([.bold, .reversed]) : []
            return Style(isProblem ? style.foreground : nil, attributes.symmetricDifference(.reversed))
        }
    }

    /// Writes the mark of a target for a comparison in place of that of the selection.
    func writeMark(of row: Row, line: Int, on frame: inout Frame) {
        guard context.isMarked(row.id) else { return }
        let mark = String(context.appearance.glyphs.marked)
        frame.write(mark, at: Position(column: 0, row: line), style: context.appearance[.accent])
    }

    private typealias Column = ColumnLayout<TableColumn>.Column

    private func draw(_ column: Column, of cells: TableRow, row: Int, on frame: inout Frame) {
        let width = column.range.count - column.id.indent
        draw(cells.segments(of: column.id, width: width), in: column, row: row, on: &frame)
    }

    private func draw(_ segments: [Segment], in column: Column, row: Int, on frame: inout Frame) {
        let range = column.range
        let missing =
            column.id.alignment == .trailing ? max(0, range.count - segments.displayWidth) : column.id.indent
        frame.write(
            segments,
            at: Position(column: Self.margin + range.lowerBound + missing, row: row),
            limit: range.count - missing,
            ellipsis: context.appearance.glyphs.ellipsis
        )
    }
}
