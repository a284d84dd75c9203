import Monitoring
import Screen

/// The round trips over time, large: with figures at both axes, losses and clipped spikes marked, and the limit above which
/// a reply is slow.
///
/// ```
///  1.0s │      ▲           ⢀⣀⣀⡀
/// 500ms │┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⡇┄┄┄┄
///     0 │⠤⠤⠤⠤⠤⠤⠤⠤⠤××⠤⠤⠤⠤⠤⠤⠤⠤⠇
///        14:01:31    14:02:01
/// ```
struct RoundTripChart {
    let model: Model
    let standing: Standing
    let axis: TimeAxis
    private let columns: [ChartColumn]
    private let scale: ChartScale
    private let grid: ChartGrid

    private var look: Look { model.look }

    /// The columns left of the chart: figures of at most seven columns, and the axis.
    static let margin = 9
    /// The least lines that are worth a chart.
    static let leastHeight = 4

    init(model: Model, standing: Standing, axis: TimeAxis, height: Int) {
        self.model = model
        self.standing = standing
        self.axis = axis
        columns = ChartColumn.columns(of: standing, along: axis)
        scale = ChartScale(standing, showing: columns, along: axis)
        grid = ChartGrid(top: scale.top, height: max(Self.leastHeight, height - 2))
    }

    /// The chart, its base with the zero, and the times.
    func lines() -> [[Segment]] {
        let slow = standing.target.thresholds.slow
        let chart = BrailleChart(columns, scale: scale, slow: slow, height: grid.height, glyphs: look.glyphs)
        // A limit at a mark stands in the line of the mark.
        let limit = slow.flatMap { scale.level(of: $0 - .nanoseconds(1), count: grid.height) }.map {
            grid.height - 1 - $0
        }
        let body = (0..<grid.height).map { line in
            var cells = chart.segments(ofLine: line, look: look).flatMap { segment in
                segment.text.map { Segment(String($0), segment.style) }
            }
            if line == limit { dot(&cells) }
            return label(grid.marks[line] ?? "") + cells.marked(at: cursor, look: look)
        }
        let rule = String(repeating: look.glyphs.rule, count: axis.count / axis.columnsPerCell)
        return body + [label(grid.zero, corner: true) + [Segment(rule, look[.faint])], times]
    }

    private func label(_ text: String, corner: Bool = false) -> [Segment] {
        let edge = corner ? look.glyphs.corner : look.glyphs.edge
        return [Segment("\(text.padded(toColumns: Self.margin - 2, .trailing)) \(edge)", look[.faint])]
    }

    /// The limit shows where nothing else does.
    private func dot(_ cells: inout [Segment]) {
        for index in cells.indices where cells[index].text == " " {
            cells[index] = Segment(String(look.glyphs.limit), look[.faint])
        }
    }

    /// The character that the time cursor has chosen.
    private var cursor: Int? {
        model.cursor.flatMap { axis.cell(of: $0) }
    }

    /// The times below the chart, each at the column that it names; the cursor's among them.
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
        return [Segment(String(repeating: " ", count: Self.margin) + text, look[.faint])]
    }
}
