import ReachMonitoring
import ReachScreen

/// The paths to all targets as one tree from this machine on.
///
/// ```
///   HOP                                 TARGETS  LOSS  MEDIAN  LAST 30 MINUTES
///   this machine                             97
///   └─ 192.168.1.1  router.lan               97    0%   0.6ms  ████████████████████
/// ▸    ├─ * silent  1st after 10.1.0.1       14  100%       –  ████████████████××××
///      │  └─ 14 targets  Shop, API, 12 more      100%       –  ████████████████××××
///      └─ 31 targets  all up                       0%    11ms  ████████████████████
///                                                              13:35     13:45
/// ```
struct PathTreeView: View {
    private let context: ViewContext
    private let areas: Areas
    private let tree: PathTree
    private let state: PathTreeState
    private let emptyText: String
    private let layout: PathTreeLayout
    private var appearance: Appearance { context.appearance }

    init(model: Model) {
        (context, areas, state) = (ViewContext(model), model.areas, model.pathTree)
        tree = state.tree
        emptyText = model.emptyText
        let texts = PathTreeTexts(context: context, tree: state.tree, columns: model.size.columns)
        let visible = state.rows.dropFirst(state.scroll).prefix(model.areas.list.rows)
        layout = PathTreeLayout(
            columns: model.size.columns,
            hopWidth: visible.map { texts.segments(of: $0).displayWidth }.max() ?? 0
        )
    }

    /// The number of rows of the tree in the list: the line below them has the times.
    static func height(in list: Area) -> Int { max(1, list.rows - (list.rows < 6 ? 0 : 1)) }

    /// The time axis of the heat rows.
    var axis: TimeAxis {
        TimeAxis(
            state.span,
            until: context.chartEnd(showing: state.span),
            origin: context.chartOrigin,
            cells: max(1, layout.heat?.count ?? 1)
        )
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard tree.nodes[0].count > 0 || !tree.untraced.isEmpty else { return drawPurpose(in: areas.list, on: &frame) }
        drawHeadings(in: areas.headings, on: &frame)
        var list = areas.list
        list.rows = min(list.rows, Self.height(in: list))
        let shown = state.rows.dropFirst(state.scroll).prefix(list.rows)
        let (texts, axis) = (PathTreeTexts(context: context, tree: tree, columns: areas.size.columns), axis)
        for (line, row) in shown.enumerated() {
            draw(row, texts, axis, isSelected: state.scroll + line == state.index, line: list.row + line, on: &frame)
        }
        frame.writeScrollMarks(state.scroll..<state.scroll + shown.count, of: state.rows.count, in: list, appearance)
        if list.rows < areas.list.rows { drawLabels(axis, row: list.row + shown.count, on: &frame) }
    }

    /// Writes why there is no tree.
    private func drawPurpose(in area: Area, on frame: inout Frame) {
        let hasTargets = !context.roster.states.isEmpty
        let text = hasTargets ? "no target has a path: their probes go to no host on the network" : emptyText
        let lines = text.wrapped(toColumns: area.columns - 4, lines: area.rows, ellipsis: appearance.glyphs.ellipsis)
        for (index, line) in lines.enumerated() {
            frame.write(line, at: Position(column: 3, row: area.row + index), style: appearance[.faint])
        }
    }

    private func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let faint = appearance[.faint]
        write([Segment("HOP", faint)], in: layout.hop, area.row, on: &frame)
        if let targets = layout.targets { writeTrailing(Segment("TARGETS", faint), in: targets, area.row, on: &frame) }
        writeTrailing(Segment("LOSS", faint), in: layout.loss, area.row, on: &frame)
        if let median = layout.median { writeTrailing(Segment("MEDIAN", faint), in: median, area.row, on: &frame) }
        guard let heat = layout.heat else { return }
        let text = ["LAST \(state.span.lastSpanText.uppercased())", "LAST \(state.span.settingsText)"]
            .first { $0.displayWidth <= heat.count }
        write([Segment(text ?? "", faint)], in: heat, area.row, on: &frame)
    }

    private func drawLabels(_ axis: TimeAxis, row: Int, on frame: inout Frame) {
        guard let heat = layout.heat else { return }
        let labels = ClockTicks(axis, wall: context.wall).labels(margin: 0, cells: axis.cells)
        write([Segment(labels, appearance[.faint])], in: heat, row, on: &frame)
    }

    // MARK: Rows

    private func draw(
        _ row: PathTreeRow,
        _ texts: PathTreeTexts,
        _ axis: TimeAxis,
        isSelected: Bool,
        line: Int,
        on frame: inout Frame
    ) {
        if isSelected { frame.writeSelectionMark(row: line, appearance) }
        let segments = texts.segments(of: row)
        write(segments, in: layout.hop, line, on: &frame)
        if isSelected { highlight(segments, line: line, on: &frame) }
        switch row.kind {
        case .machine:
            drawCount(tree.nodes[0].count, line: line, on: &frame)
        case .hops(let first, let last):
            let node = tree.nodes[last]
            drawCount(node.count, line: line, on: &frame)
            draw(PathFigures(tree, chainFrom: first, to: last), isFault: node.isFault, line: line, on: &frame)
            draw(HeatRow(node.results, along: axis), axis, isFault: node.isFault, line: line, on: &frame)
        case .targets(let node):
            drawTargets(tree.nodes[node].targets, axis, line: line, on: &frame)
        case .target(let position):
            drawTargets([position], axis, line: line, on: &frame)
        case .untraced:
            break
        }
    }

    private func drawTargets(_ positions: [Int], _ axis: TimeAxis, line: Int, on frame: inout Frame) {
        let states = context.roster.states
        draw(PathFigures(positions, of: states), isFault: true, line: line, on: &frame)
        guard layout.heat != nil else { return }
        draw(HeatRow(positions, of: states, along: axis), axis, isFault: true, line: line, on: &frame)
    }

    private func drawCount(_ count: Int, line: Int, on frame: inout Frame) {
        guard let columns = layout.targets else { return }
        writeTrailing(Segment("\(count)", appearance[.faint]), in: columns, line, on: &frame)
    }

    private func draw(_ figures: PathFigures, isFault: Bool, line: Int, on frame: inout Frame) {
        let none = String(appearance.glyphs.none)
        let role = figures.loss.flatMap(Role.init(loss:))
        let lossRole: Role = isFault ? role ?? .faint : .faint
        let loss = Segment(figures.loss?.percentText ?? none, appearance[lossRole])
        writeTrailing(loss, in: layout.loss, line, on: &frame)
        guard let columns = layout.median else { return }
        let median = Segment(figures.median?.roundTripText ?? none, appearance[figures.median == nil ? .faint : .text])
        writeTrailing(median, in: columns, line, on: &frame)
    }

    private func draw(_ row: HeatRow, _ axis: TimeAxis, isFault: Bool, line: Int, on frame: inout Frame) {
        guard let heat = layout.heat else { return }
        let cursor = context.cursor.flatMap { axis.cell(of: $0) }
        let cells = row.cells(isFault: isFault, cursor: cursor, appearance)
        frame.write(cells, at: Position(column: heat.lowerBound, row: line), limit: heat.count)
    }

    /// Highlights what the selected row is about: the text after its guide lines.
    private func highlight(_ segments: [Segment], line: Int, on frame: inout Frame) {
        let start = layout.hop.lowerBound + segments[0].text.displayWidth
        let end = min(layout.hop.upperBound, start + segments[1].text.displayWidth)
        frame.restyle(row: line, columns: min(start, end)..<end) { _ in Style(nil, .reversed) }
    }

    private func write(_ segments: [Segment], in columns: Range<Int>, _ row: Int, on frame: inout Frame) {
        let position = Position(column: columns.lowerBound, row: row)
        frame.write(segments, at: position, limit: columns.count, ellipsis: appearance.glyphs.ellipsis)
    }

    private func writeTrailing(_ segment: Segment, in columns: Range<Int>, _ row: Int, on frame: inout Frame) {
        let start = columns.lowerBound + max(0, columns.count - segment.text.displayWidth)
        write([segment], in: start..<max(start, columns.upperBound), row, on: &frame)
    }
}
