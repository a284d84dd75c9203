import ReachMonitoring
import ReachScreen

/// A grid with a chart for each target, all on the same time axis.
struct GraphsView: View {
    let context: ViewContext
    private let order: RowOrder
    private let viewState: GraphsViewState
    private let selected: Row.ID?
    private let emptyText: String
    let grid: GraphGrid
    /// Whether there are several groups, so that each chart shows its group.
    private let hasGroups: Bool
    private let area: Area

    init(model: Model) {
        context = ViewContext(model)
        (order, viewState) = (model.list.order, model.graphs)
        (selected, emptyText) = (model.selection.id, model.emptyText)
        hasGroups = order.groups.count > 1
        let areas = model.areas
        var area = areas.headings
        area.column = 1
        // The last two columns are a blank and the marks of hidden graphs.
        area.columns = max(1, area.columns - 3)
        // The last rows show the labels of the time axis and the legend.
        let rows = areas.footer.row - area.row
        area.rows = rows < 4 ? rows : rows < 12 ? rows - 1 : rows - 2
        self.area = area
        grid = GraphGrid(count: order.positions.count, columns: area.columns, rows: area.rows)
    }

    /// The time axis of the charts.
    var axis: TimeAxis {
        TimeAxis(
            ofGraphs: viewState.span,
            until: context.chartEnd(showing: viewState.span),
            origin: context.chartOrigin,
            cells: grid.chartWidth
        )
    }

    /// The index of the selected target's graph.
    var index: Int? { order.index(of: selected, in: context.roster) }

    /// The target whose chart is at a screen position.
    func target(at position: Position) -> Target.ID? {
        let visible = order.positions.dropFirst(viewState.scroll * grid.columns)
        return zip(0..<grid.lines * grid.columns, visible).first { grid.area(of: $0.0, in: area).contains(position) }
            .map { context.roster.states[$0.1].id }
    }

    /// The positions of the targets with visible charts.
    var visible: ArraySlice<Int> {
        order.positions.dropFirst(viewState.scroll * grid.columns).prefix(grid.lines * grid.columns)
    }

    /// Draws the graphs of some targets, over an earlier frame of the same graphs.
    func drawChanges(of targets: Set<Target.ID>, on frame: inout Frame) {
        let changed = Set(targets.compactMap { context.roster.position(of: $0) })
        for (index, position) in visible.enumerated() where changed.contains(position) {
            let area = grid.area(of: index, in: area)
            // The other rows are drawn whole.
            frame.fill(row: area.row, columns: area.column..<area.column + area.columns)
            graph(ofTargetAt: position).draw(in: area, on: &frame)
        }
    }

    private func graph(ofTargetAt position: Int) -> GraphView {
        let state = context.roster.states[position]
        return GraphView(
            state: state,
            context: context,
            span: viewState.span,
            isSelected: selected == .target(state.id),
            group: hasGroups ? state.target.group ?? "other" : nil
        )
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        guard !order.positions.isEmpty else {
            let position = Position(column: 3, row: area.row)
            frame.write(emptyText, at: position, style: context.appearance[.faint], limit: area.columns - 4)
            return
        }
        let shown = visible
        for (index, position) in shown.enumerated() {
            graph(ofTargetAt: position).draw(in: grid.area(of: index, in: self.area), on: &frame)
        }
        guard self.area.rows < area.rows else { return }
        let first = viewState.scroll * grid.columns
        let (range, count) = (first..<first + shown.count, order.positions.count)
        let charts = Area(row: area.row, rows: self.area.rows, columns: area.columns)
        frame.writeScrollMarks(range, of: count, in: charts, context.appearance)
        guard let last = shown.indices.last else { return }
        let lastChart = grid.area(of: last - shown.startIndex, in: self.area)
        let row = min(self.area.row + self.area.rows, lastChart.row + lastChart.rows)
        for column in 0..<min(grid.columns, shown.count) {
            drawLabels(row: row, in: grid.area(of: column, in: self.area), on: &frame)
        }
        guard row + 1 < area.row + area.rows else { return }
        let interval = shown.map { context.roster.states[$0].target.interval }.min() ?? .zero
        let legend = Area(row: row + 1, rows: 1, columns: area.columns)
        drawLegend(interval: interval, row: legend.row, on: &frame)
        if shown.count < count { frame.writeRange(range, of: count, in: legend, appearance: context.appearance) }
    }

    /// Draws what a column of the charts shows, for targets of at least this interval; nothing if that is one probe.
    private func drawLegend(interval: Duration, row: Int, on frame: inout Frame) {
        guard let legend = axis.legend(interval: interval, glyphs: context.appearance.glyphs) else { return }
        frame.write(
            legend,
            at: Position(column: area.column + GraphGrid.margin, row: row),
            style: context.appearance[.faint],
            limit: area.columns - GraphGrid.margin
        )
    }

    /// Draws the labels of the time axis below a column of the grid.
    private func drawLabels(row: Int, in area: Area, on frame: inout Frame) {
        let (style, minus) = (context.appearance[.faint], context.appearance.glyphs.minus)
        let start = area.column + GraphGrid.margin
        for tick in GraphTicks(axis).ticks {
            let label = "\(minus)\(tick.label)"
            let column = max(start, start + tick.column - label.count / 2)
            frame.write(label, at: Position(column: column, row: row), style: style)
        }
        frame.write("now", at: Position(column: start + axis.cells - 3, row: row), style: style)
    }
}

/// The state of the graphs: their time span and the scroll position.
struct GraphsViewState: Sendable, Hashable {
    /// The time span of the graphs: one of ``TimeAxis/spans``.
    private(set) var span = TimeAxis.spans[0]
    /// The first visible line of graphs.
    private(set) var scroll = 0

    /// Selects the next longer or shorter span.
    ///
    /// - Returns: Whether there is one.
    mutating func changeSpan(isLonger: Bool) -> Bool {
        let before = span
        span = TimeAxis.spans.next(to: span, isLonger: isLonger)
        return span != before
    }

    /// Scrolls so that a line of graphs is visible.
    mutating func reveal(line: Int, of lines: Int, height: Int) {
        scroll = scroll.revealing(line, of: lines, height: height)
    }
}
