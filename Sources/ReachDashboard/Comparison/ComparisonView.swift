import ReachMonitoring
import ReachScreen

/// The round trips of some targets as lines in one chart, on one scale. Each has a colour, and a number at the end of its line.
///
/// ```
/// Comparison of the last minute ──────────────────────────────
///   30ms │            ⢀⡀
///        │⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠊⠈⠢⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤ 1
///        │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀ 2
/// lost 1 │                     ▆▆
///      0 └──────┴──────┴──────┴────────
/// 1 ● Router   1.2ms   p95 2.1ms   loss 0%
/// ```
struct ComparisonView: View {
    private let context: ViewContext
    private let states: [TargetState]
    private let span: Duration

    private var appearance: Appearance { context.appearance }
    /// The columns left of the chart, and those right of it for the numbers.
    private static let (margin, end) = (9, 2)

    init(model: Model) {
        context = ViewContext(model)
        states = model.comparison.marked.compactMap { model.shownRoster[$0] }
        span = model.graphs.span
    }

    func draw(in area: Area, on frame: inout Frame) {
        let width = area.columns - Self.margin - Self.end - 2
        guard !area.isEmpty, width > 0 else { return }
        let axis = TimeAxis(
            ofGraphs: span,
            until: context.chartEnd(showing: span),
            origin: context.chartOrigin,
            cells: width
        )
        let columns = states.map { ChartColumn.columns(of: context.charted($0), along: axis, repeatsNewest: false) }
        let lossy = columns.indices.filter { index in columns[index].contains { $0.losses > 0 } }
        // The heading, the base line, the times, a blank line, and a line for each target.
        let height = max(1, area.rows - 4 - states.count - lossy.count)
        let scale = ChartScale(columns.flatMap(\.self), height: height, startsAtZero: true)
        drawHeading(along: axis, in: area, on: &frame)
        var line = area.row + 1
        let lines = Area(row: line, rows: height, columns: area.columns)
        drawLines(columns, on: scale, cells: axis.cells, hasRails: !lossy.isEmpty, in: lines, on: &frame)
        line += height
        for index in lossy {
            writeAxis(Segment("lost \(index + 1)", style(of: index)), row: line, on: &frame)
            let rail = LossRail(columns[index], columnsPerCell: axis.columnsPerCell).cells(appearance: appearance)
            frame.write(rail, at: Position(column: 1 + Self.margin, row: line), limit: width)
            line += 1
        }
        drawTimes(along: axis, row: line, in: area, hasZero: scale != nil && lossy.isEmpty, on: &frame)
        let legend = Area(row: line + 3, rows: area.row + area.rows - line - 3, columns: area.columns)
        frame.write(states.indices.map(summary), in: legend, ellipsis: appearance.glyphs.ellipsis)
    }

    private func drawHeading(along axis: TimeAxis, in area: Area, on frame: inout Frame) {
        let interval = states.map(\.target.interval).min() ?? .zero
        let note = axis.step > interval ? "medians per \(axis.step.limitText)" : nil
        let title = "Comparison of the last \(axis.span.lastSpanText)"
        let heading: [Segment] = .heading(title, note: note, width: area.columns - 2, appearance: appearance)
        frame.write([heading], in: area, ellipsis: appearance.glyphs.ellipsis)
    }

    /// Draws the scale, the lines, and their numbers. Where two lines meet, the later one is seen.
    private func drawLines(
        _ columns: [[ChartColumn]],
        on scale: ChartScale?,
        cells: Int,
        hasRails: Bool,
        in area: Area,
        on frame: inout Frame
    ) {
        let marks = scale.map { ChartGrid($0, height: area.rows).marks } ?? [:]
        for line in 0..<area.rows {
            // The mark of zero is at the base line, unless rails are between.
            let mark = line == area.rows - 1 && !hasRails ? nil : marks[line].map { Segment($0, appearance[.faint]) }
            writeAxis(mark, row: area.row + line, on: &frame)
        }
        guard let scale else { return }
        var taken: Set<Int> = []
        for (index, columns) in columns.enumerated() {
            let chart = BrailleChart(columns, scale: scale, height: area.rows, isLine: true, glyphs: appearance.glyphs)
            for (line, content) in chart.lines.enumerated() {
                for (cell, part) in content.enumerated() where part.kind.isArea {
                    let position = Position(column: 1 + Self.margin + cell, row: area.row + line)
                    frame.write([Cell(narrow: part.character, style(of: index))], at: position)
                }
            }
            guard let last = columns.last(where: { $0.medianNanoseconds != nil })?.medianNanoseconds else { continue }
            let level = scale.level(ofNanoseconds: last, count: area.rows) ?? area.rows - 1
            // Equal ends have their numbers one above the other.
            let free = (0..<area.rows).filter { !taken.contains($0) }.min { abs($0 - level) < abs($1 - level) }
            guard let free else { continue }
            taken.insert(free)
            let position = Position(column: 1 + Self.margin + cells + 1, row: area.row + area.rows - 1 - free)
            frame.write("\(index + 1)", at: position, style: style(of: index))
        }
    }

    private func drawTimes(along axis: TimeAxis, row: Int, in area: Area, hasZero: Bool, on frame: inout Frame) {
        guard row < area.row + area.rows else { return }
        let (glyphs, faint) = (appearance.glyphs, appearance[.faint])
        let ticks = ClockTicks(axis, wall: context.wall)
        writeAxis(hasZero ? Segment("0", faint) : nil, row: row, on: &frame)
        let rule = String(glyphs.corner) + ticks.rule(cells: axis.cells, glyphs: glyphs)
        frame.write(rule, at: Position(column: Self.margin, row: row), style: faint)
        guard row + 1 < area.row + area.rows else { return }
        let labels = ticks.labels(margin: Self.margin, cells: axis.cells)
        frame.write(labels, at: Position(column: 1, row: row + 1), style: faint)
    }

    private func writeAxis(_ mark: Segment?, row: Int, on frame: inout Frame) {
        frame.writeAxis(mark, at: Position(column: 1, row: row), margin: Self.margin, appearance)
    }

    /// The line of a target below the chart.
    private func summary(of index: Int) -> [Segment] {
        let state = states[index]
        let row = TableRow(state: state, context: context, methodWidth: 0)
        let width = states.map(\.target.label.displayWidth).max() ?? 0
        let label = state.target.label.padded(toColumns: width)
            .shortened(toColumns: min(width, 40), ellipsis: appearance.glyphs.ellipsis)
        let figures = [("last", TableColumn.last), ("p95", .p95), ("jitter", .jitter), ("loss", .loss)]
        return [
            Segment("\(index + 1) ", style(of: index)), Segment("\(row.glyph) ", appearance[row.role]),
            Segment(label, style(of: index)),
        ]
            + figures.flatMap { name, column -> [Segment] in
                let figure = row.segments(of: column, width: 7)
                let blanks = String(repeating: " ", count: max(1, 8 - figure.displayWidth))
                return [Segment("   \(name)", appearance[.faint]), Segment(blanks, .plain)] + figure
            } + [Segment("   ", .plain)] + row.segments(of: .health, width: 30)
    }

    private func style(of index: Int) -> Style { appearance.theme.lineStyle(index) }
}
