import Monitoring
import Screen

/// The chart of one target: its name and state, its round trips over time, the scale, and the lost probes.
///
/// ```
/// ● Router  Home ────────────────────── p95 2.1ms  1.2ms
///   3ms  │⣤⣤⣴⣶⣤⣤⣤⣤⣤⣶⣶⣶⣤⣤⣤⣤  ⣤⣴⣶⣤⣤
///     0  │⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  ⣿⣿⣿⣿⣿
///        │                ▆▆
///        └───────────┴────────────
/// ```
struct GraphView: View {
    let state: TargetState
    let model: Model
    let isSelected: Bool
    /// The group; nil if it is not shown.
    let group: String?

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = model.appearance
        drawHeading(in: area, on: &frame)
        let width = area.columns - GraphGrid.margin
        // A low chart has no base line.
        let height = area.rows - GraphGrid.frame
        guard height >= 0, width > 0 else { return }
        let axis = axis(cells: width)
        let chart = AreaChart(
            state,
            along: axis,
            height: max(1, height),
            cursor: model.cursor.flatMap { axis.cell(of: $0) },
            appearance: appearance
        )
        for (line, content) in (chart.lines + [chart.rail]).enumerated() {
            let label = (chart.marks[line] ?? "").padded(toColumns: GraphGrid.margin - 2, .trailing)
            frame.write(
                [Segment("\(label) \(appearance.glyphs.edge)", appearance[.faint])] + content,
                at: Position(column: area.column, row: area.row + 1 + line),
                limit: area.columns,
                ellipsis: appearance.glyphs.ellipsis
            )
        }
        guard height > 0 else { return }
        drawBaseLine(of: axis, row: area.row + area.rows - 1, column: area.column + GraphGrid.margin - 1, on: &frame)
    }

    /// The time axis of the chart.
    private func axis(cells: Int) -> TimeAxis {
        TimeAxis(
            model.graphs.span,
            until: model.now,
            origin: model.chartOrigin,
            cells: cells,
            columnsPerCell: BrailleChart.columnsPerCell
        )
    }

    private func drawBaseLine(of axis: TimeAxis, row: Int, column: Int, on frame: inout Frame) {
        let glyphs = model.appearance.glyphs
        var line = Array(String(repeating: glyphs.rule, count: axis.cells))
        for tick in GraphTicks(axis).inner { line[tick.column] = glyphs.tick }
        frame.write(
            String(glyphs.corner) + String(line),
            at: Position(column: column, row: row),
            style: model.appearance[.faint]
        )
    }

    private func drawHeading(in area: Area, on frame: inout Frame) {
        let appearance = model.appearance
        let row = TableRow(
            state: state,
            model: model,
            methodWidth: 0,
            axis: axis(cells: area.columns - GraphGrid.margin)
        )
        let blank = Segment(" ", .plain)
        // A target that is not up has no last round trip to show, so its health and age are shown.
        let health: [Segment] =
            model.cursor == nil && (state.isPausedOrBlocked || state.health == .down || state.health == .unknown)
            ? [Segment("\(state.healthName) ", appearance[state.role])] + row.segments(of: .since, width: 6)
            : row.segments(of: .last, width: 6)
        let p95 = [Segment("p95 ", appearance[.faint])] + row.segments(of: .p95, width: 6) + [blank, blank]
        let mark = [
            Segment(String(isSelected ? appearance.glyphs.selection : " "), appearance[.text]),
            Segment(String(row.glyph), appearance[row.role]), blank,
        ]
        let room = area.columns - mark.displayWidth
        let hasFigure = room >= 10 + p95.displayWidth + health.displayWidth + 2
        let tail = [blank] + (hasFigure ? p95 : []) + health
        let name = state.target.label.truncated(
            toColumns: max(4, room - tail.displayWidth - 1),
            ellipsis: appearance.glyphs.ellipsis
        )
        let free = max(0, room - name.displayWidth - 1 - tail.displayWidth)
        // The group is omitted before the rule.
        let groupText = group.map { " \($0) " } ?? ""
        let label = groupText.displayWidth + 4 <= free ? groupText : ""
        let nameStyle = isSelected ? Style(nil, .reversed) : appearance[state.isPausedOrBlocked ? .waiting : .title]
        let rule = String(repeating: appearance.glyphs.rule, count: free - label.displayWidth)
        frame.write(
            mark + [Segment(name, nameStyle), blank, Segment(label + rule, appearance[.faint])] + tail,
            at: Position(column: area.column, row: area.row),
            limit: area.columns,
            ellipsis: appearance.glyphs.ellipsis
        )
    }
}
