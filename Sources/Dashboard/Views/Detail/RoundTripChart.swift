import Monitoring
import Screen

/// The large chart of round trips: labels on both axes, marks for losses and clipped spikes, and a line at the limit of
/// slow replies.
///
/// ```
///  1.0s │      ▲           ⢀⣀⣀⡀
/// 500ms │┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⡇┄┄┄┄
///     0 │⠤⠤⠤⠤⠤⠤⠤⠤⠤××⠤⠤⠤⠤⠤⠤⠤⠤⠇
///        14:01:31    14:02:01
/// ```
struct RoundTripChart {
    let model: Model
    let state: TargetState
    let axis: TimeAxis
    private let columns: [ChartColumn]
    private let scale: ChartScale
    private let grid: ChartGrid

    private var appearance: Appearance { model.appearance }

    /// The columns left of the chart: labels of at most seven columns, and the axis.
    static let margin = 9
    /// The minimum height of a chart in lines.
    static let minimumHeight = 4

    init(model: Model, state: TargetState, axis: TimeAxis, height: Int) {
        self.model = model
        self.state = state
        self.axis = axis
        columns = ChartColumn.columns(of: state, along: axis)
        scale = ChartScale(state, showing: columns, along: axis)
        grid = ChartGrid(top: scale.top, height: max(Self.minimumHeight, height - 2))
    }

    /// Returns the lines of the chart, the base line, and the times below it.
    func lines() -> [[Segment]] {
        let slow = state.target.thresholds.slow
        let chart = BrailleChart(columns, scale: scale, slow: slow, height: grid.height, glyphs: appearance.glyphs)
        // A limit that equals a mark is drawn in the line of the mark.
        let limit = slow.flatMap { scale.level(of: $0 - .nanoseconds(1), count: grid.height) }.map {
            grid.height - 1 - $0
        }
        let body = (0..<grid.height).map { line in
            var cells = chart.segments(ofLine: line, appearance: appearance).flatMap { segment in
                segment.text.map { Segment(String($0), segment.style) }
            }
            if line == limit { drawLimit(in: &cells) }
            return label(grid.marks[line] ?? "") + cells.marked(at: cursor, appearance: appearance)
        }
        let rule = String(repeating: appearance.glyphs.rule, count: axis.count / axis.columnsPerCell)
        return body + [label(grid.zero, corner: true) + [Segment(rule, appearance[.faint])], times]
    }

    private func label(_ text: String, corner: Bool = false) -> [Segment] {
        let edge = corner ? appearance.glyphs.corner : appearance.glyphs.edge
        return [Segment("\(text.padded(toColumns: Self.margin - 2, .trailing)) \(edge)", appearance[.faint])]
    }

    /// Draws the limit in blank cells only.
    private func drawLimit(in cells: inout [Segment]) {
        for index in cells.indices where cells[index].text == " " {
            cells[index] = Segment(String(appearance.glyphs.limit), appearance[.faint])
        }
    }

    /// The index of the character at the time cursor.
    private var cursor: Int? {
        model.cursor.flatMap { axis.cell(of: $0) }
    }

    /// The times below the chart, each at its column.
    private var times: [Segment] {
        let cells = axis.count / axis.columnsPerCell
        let width = 8
        let count = max(1, min(8, cells / (width * 2)))
        var text = ""
        for mark in 0...count {
            let cell = mark * (cells - 1) / count
            let start = mark == count ? cells - width : cell
            let time = model.wall.timeOfDay(at: axis.start(ofColumn: cell * axis.columnsPerCell))
            guard start >= text.count + (mark == 0 ? 0 : 2) else { continue }
            text += String(repeating: " ", count: start - text.count) + time
        }
        return [Segment(String(repeating: " ", count: Self.margin) + text, appearance[.faint])]
    }
}
