import Monitoring
import Screen

/// The chart of one target: its name, how it is, its round trips over time, and the scale.
///
/// ```
/// ● Router  Home ────────────────────── p95 2.1ms  1.2ms
///   3ms  │⠤⠤⠔⠒⠢⠤⠤⠤⠤⠒⠒⠒⠤⠤⠤⠤⠤⠤⠔⠒⠒⠤⠤
///     0  │
///        └────────────────────┴────────────────────
/// ```
struct GraphView: View {
    let standing: Standing
    let model: Model
    let isSelected: Bool
    /// The group, where it is worth saying.
    let group: String?

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let look = model.look
        drawHead(in: area, on: &frame)
        let height = area.rows - GraphGrid.frame
        let width = area.columns - GraphGrid.margin
        guard height > 0, width > 0 else { return }
        let axis = axis(cells: width)
        let cursor = model.cursor.flatMap { axis.cell(of: $0) }
        let columns = ChartColumn.columns(of: standing, along: axis)
        let scale = ChartScale(standing, showing: columns, along: axis)
        let slow = standing.target.thresholds.slow
        let chart = BrailleChart(columns, scale: scale, slow: slow, height: height, glyphs: look.glyphs)
        // Where nothing travels, as for a link, there is nothing to measure.
        let hasScale = columns.contains { if case .roundTrip(let time) = $0 { time > .zero } else { false } }
        for line in 0..<height {
            let row = area.row + 1 + line
            let label = !hasScale ? "" : line == 0 ? scale.top.roundTripText : line == height - 1 ? "0" : ""
            let edge = [
                Segment(label.padded(toColumns: GraphGrid.margin - 2, .trailing), look[.faint]),
                Segment(" \(look.glyphs.edge)", look[.faint]),
            ]
            frame.write(
                edge + chart.segments(ofLine: line, look: look).marked(at: cursor, look: look),
                at: Position(column: area.column, row: row),
                limit: area.columns,
                ellipsis: look.glyphs.ellipsis
            )
        }
        drawGround(width: width, row: area.row + 1 + height, column: area.column + GraphGrid.margin - 1, on: &frame)
    }

    /// The time that the chart shows.
    private func axis(cells: Int) -> TimeAxis {
        TimeAxis(model.graphs.span, until: model.now, cells: cells, columnsPerCell: BrailleChart.columnsPerCell)
    }

    private func drawGround(width: Int, row: Int, column: Int, on frame: inout Frame) {
        let glyphs = model.look.glyphs
        var ground = Array(String(repeating: glyphs.rule, count: width))
        for tick in GraphTicks(span: model.graphs.span, width: width).inner { ground[tick.column] = glyphs.tick }
        frame.write(
            String(glyphs.corner) + String(ground),
            at: Position(column: column, row: row),
            style: model.look[.faint]
        )
    }

    private func drawHead(in area: Area, on frame: inout Frame) {
        let look = model.look
        let row = TableRow(
            standing: standing,
            model: model,
            methodWidth: 0,
            axis: axis(cells: area.columns - GraphGrid.margin)
        )
        let blank = Segment(" ", .plain)
        // A target that does not answer has no last round trip to show: its health and the time say more.
        let state: [Segment] =
            model.cursor == nil && (standing.isOutOfUse || standing.health == .down || standing.health == .unknown)
            ? [Segment("\(standing.word) ", look[standing.role])] + row.segments(of: .since, width: 6)
            : row.segments(of: .last, width: 6)
        let p95 = [Segment("p95 ", look[.faint])] + row.segments(of: .p95, width: 6) + [blank, blank]
        let mark = [
            Segment(String(isSelected ? look.glyphs.selection : " "), look[.text]),
            Segment(String(row.glyph), look[row.role]), blank,
        ]
        let room = area.columns - mark.displayWidth
        let hasFigure = room >= 10 + p95.displayWidth + state.displayWidth + 2
        let tail = [blank] + (hasFigure ? p95 : []) + state
        let name = standing.target.label.truncated(
            toColumns: max(4, room - tail.displayWidth - 1),
            ellipsis: look.glyphs.ellipsis
        )
        let free = max(0, room - name.displayWidth - 1 - tail.displayWidth)
        // The group is left out before the rule is.
        let words = group.map { " \($0) " } ?? ""
        let label = words.displayWidth + 4 <= free ? words : ""
        let nameStyle = isSelected ? Style(nil, .reversed) : look[standing.isOutOfUse ? .waiting : .title]
        let rule = String(repeating: look.glyphs.rule, count: free - label.displayWidth)
        frame.write(
            mark + [Segment(name, nameStyle), blank, Segment(label + rule, look[.faint])] + tail,
            at: Position(column: area.column, row: area.row),
            limit: area.columns,
            ellipsis: look.glyphs.ellipsis
        )
    }
}
