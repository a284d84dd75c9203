import ReachMonitoring
import ReachScreen

/// The chart of one target: its name and state, its round trips over time, the scale, and the lost probes if there are any.
///
/// ```
/// ● Router  Home ────────────────────── p95 2.1ms  1.2ms
///   3ms  │⣤⣤⣴⣶⣤⣤⣤⣤⣤⣶⣶⣶⣤⣤⣤⣤  ⣤⣴⣶⣤⣤
///     0  │⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  ⣿⣿⣿⣿⣿
///   lost │                ▆▆
///        └───────────┴────────────
/// ```
struct GraphView: View {
    let state: TargetState
    let context: ViewContext
    /// The time that the chart covers.
    let span: Duration
    let isSelected: Bool
    /// The group; nil if it is not shown.
    let group: String?

    /// The least height of a chart whose axis marks the levels before and after a change.
    private static let heightOfLevels = 6

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = context.appearance
        let width = area.columns - GraphGrid.margin
        // A low chart has no base line.
        let height = area.rows - GraphGrid.frame
        guard height >= 0, width > 0 else {
            drawHeading(isChartEmpty: false, in: area, on: &frame)
            return
        }
        let axis = axis(cells: width)
        let chart = AreaChart(
            context.charted(state),
            along: axis,
            // A chart without a base line has its row.
            height: height == 0 ? 2 : height + 1,
            startsAtZero: true,
            levels: height < Self.heightOfLevels ? [] : state.changedLevels(along: axis),
            changes: context.shifts(of: state, along: axis).map(\.cell),
            cursor: context.cursor.flatMap { axis.cell(of: $0) },
            appearance: appearance
        )
        drawHeading(isChartEmpty: chart.isEmpty, in: area, on: &frame)
        let margin = GraphGrid.margin
        for (line, content) in chart.lines.enumerated() {
            var position = Position(column: area.column, row: area.row + 1 + line)
            frame.writeAxis(chart.marks[line], at: position, margin: margin, appearance)
            position.column += margin
            frame.write(content.calmed(state, appearance), at: position, limit: width)
        }
        if chart.isEmpty, let text = explanation(fitting: max(1, width - 2)) {
            let column = area.column + GraphGrid.margin + (width - text.displayWidth) / 2
            let row = area.row + 1 + (chart.lines.count - 1) / 2
            frame.write(text, at: Position(column: column, row: row), style: appearance[.faint])
        }
        guard height > 0 else { return }
        let base = Position(column: area.column, row: area.row + area.rows - 1)
        frame.writeAxis(chart.baseMark, at: base, margin: margin, appearance)
        drawBaseLine(of: axis, row: base.row, column: area.column + margin - 1, on: &frame)
    }

    /// Whether the target has no last round trip to show.
    private var isSilent: Bool { state.isPausedOrBlocked || !state.health.isReachable }

    /// Why there is no round trip in the chart, and since when; nil if the target replies. The cause is shortened, or left
    /// out, so that the time is whole.
    private func explanation(fitting columns: Int) -> String? {
        guard isSilent else { return nil }
        let ellipsis = context.appearance.glyphs.ellipsis
        let since = "since \(context.wall.timeOfDay(at: state.since))"
        let whole = state.isPausedOrBlocked ? " \(since)" : ", \(state.healthName) \(since)"
        let available = columns - whole.displayWidth
        guard let cause = state.cause(fitting: min(30, available), at: context.now) else {
            return state.isPausedOrBlocked ? "\(state.healthName) \(since)" : "no reply yet"
        }
        let text =
            available < 3
            ? "\(state.healthName) \(since)" : cause.truncated(toColumns: available, ellipsis: ellipsis) + whole
        return text.truncated(toColumns: columns, ellipsis: ellipsis)
    }

    /// The time axis of the chart.
    private func axis(cells: Int) -> TimeAxis {
        let end = context.chartEnd(showing: span)
        var axis = TimeAxis(ofGraphs: span, until: end, origin: context.chartOrigin, cells: cells)
        axis.end(at: context.chartEnd(of: state, step: axis.step))
        return axis
    }

    private func drawBaseLine(of axis: TimeAxis, row: Int, column: Int, on frame: inout Frame) {
        let glyphs = context.appearance.glyphs
        let cell = { Cell(narrow: $0, context.appearance[.faint]) }
        // The corner is left of the first column.
        var line = [cell(glyphs.corner)] + Array(repeating: cell(glyphs.rule), count: axis.cells)
        for tick in GraphTicks(axis).ticks { line[tick.column + 1] = cell(glyphs.tick) }
        for change in context.pathChanges(of: state).compactMap({ axis.cell(of: $0) }) {
            line[change + 1] = Cell(narrow: glyphs.path, context.appearance[.accent])
        }
        for shift in context.shifts(of: state, along: axis) {
            line[shift.cell + 1] = Cell(narrow: glyphs.shift, context.appearance[.degraded])
        }
        frame.write(line, at: Position(column: column, row: row))
    }

    /// A round trip, right-aligned, so that nothing moves when its length changes.
    private static func figure(_ segments: [Segment]) -> [Segment] {
        [Segment(String(repeating: " ", count: max(0, 5 - segments.displayWidth)), .plain)] + segments
    }

    private func drawHeading(isChartEmpty: Bool, in area: Area, on frame: inout Frame) {
        let appearance = context.appearance
        let row = TableRow(
            state: state,
            context: context,
            methodWidth: 0,
            axis: axis(cells: area.columns - GraphGrid.margin)
        )
        let blank = Segment(" ", .plain)
        let mark = [
            context.leadMark(of: state.id, isSelected: isSelected),
            Segment(String(row.glyph), appearance[row.role]), blank,
        ]
        let note = state.mark(appearance)
        let available = area.columns - mark.displayWidth - note.displayWidth
        // An empty chart shows the cause itself.
        let cause =
            isSilent && !isChartEmpty
            ? state.cause(fitting: available / 3, at: context.now)?
                .truncated(toColumns: available / 3, ellipsis: appearance.glyphs.ellipsis) : nil
        // A target without a last round trip shows its health and age. The cause of a block contains the health.
        let healthName = state.isBlocked ? cause ?? state.healthName : state.healthName
        let health: [Segment] =
            isSilent
            ? [Segment("\(healthName) ", context.style(state.role, of: .figure(.health, state.id)))]
                + row.segments(of: .since, width: 6)
            : Self.figure(row.segments(of: .last, width: 6))
        // Before the first reply there is no percentile.
        let p95 =
            row.statistics.percentile(95) == nil
            ? [] : [Segment("p95 ", appearance[.faint])] + Self.figure(row.segments(of: .p95, width: 6))
        let text = state.isBlocked ? nil : cause.map { [Segment($0, appearance[.faint])] }
        let known = text ?? p95
        let figures = known + (known.isEmpty ? [] : [blank, blank])
        let hasFigures = available >= 10 + figures.displayWidth + health.displayWidth + 2
        let tail = [blank] + (hasFigures ? figures : []) + health
        let name = state.target.label.truncated(
            toColumns: max(4, available - tail.displayWidth - 1),
            ellipsis: appearance.glyphs.ellipsis
        )
        let free = max(0, available - name.displayWidth - 1 - tail.displayWidth)
        // The group is omitted before the rule.
        let groupText = group.map { " \($0) " } ?? ""
        let label = groupText.displayWidth + 4 <= free ? groupText : ""
        let nameStyle = isSelected ? Style(nil, .reversed) : appearance[state.isPausedOrBlocked ? .waiting : .title]
        let rule = String(repeating: appearance.glyphs.rule, count: free - label.displayWidth)
        frame.write(
            mark + [Segment(name, nameStyle)] + note + [blank, Segment(label + rule, appearance[.faint])] + tail,
            at: Position(column: area.column, row: area.row),
            limit: area.columns,
            ellipsis: appearance.glyphs.ellipsis
        )
    }
}
