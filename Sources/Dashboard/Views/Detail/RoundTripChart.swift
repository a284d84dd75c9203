import Monitoring
import Screen

/// The large chart of round trips, with labels on both axes.
///
/// ```
///   1.0s │      ▲ 4.8s     ⢀⣀⣀⡀
///  500ms │┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⢸⣿⣿⣿
///      0 │⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤  ⣤⣤⣤⣤⣤⣼⣿⣿⣿
///   lost │          ▆▆
///        └──────┴──────────────┴──
///           14:01:30       14:02:00
/// ```
struct RoundTripChart {
    let model: Model
    let state: TargetState
    let axis: TimeAxis
    let width: Int
    /// The lines of the area and the rail of losses, counted from the heading.
    let areaLines: Range<Int>

    private var appearance: Appearance { model.appearance }

    /// The columns left of the chart: labels of at most seven columns, and the axis.
    static let margin = 9
    /// The least height in lines, with the heading.
    private static let minimumHeight = 9

    /// Creates a chart.
    ///
    /// - Parameter height: the height in lines, at least ``minimumHeight``.
    init(model: Model, state: TargetState, axis: TimeAxis, width: Int, height: Int) {
        (self.model, self.state, self.axis, self.width) = (model, state, axis, width)
        areaLines = 1..<max(Self.minimumHeight, height) - 2
    }

    /// The height in lines.
    var height: Int { areaLines.upperBound + 2 }

    /// Draws the heading, the base line, and the times below it.
    ///
    /// - Parameters:
    ///   - lines: the lines that are visible.
    ///   - position: the place of the heading.
    func drawAxes(_ lines: Range<Int>, at position: Position, on frame: inout Frame) {
        let ticks = ClockTicks(axis, wall: model.wall)
        let heading: [Segment] = .heading(
            "Round trips of the last \(axis.span.lastSpanText)",
            note: axis.legend(interval: state.target.interval, glyphs: appearance.glyphs),
            width: width,
            appearance: appearance
        )
        let rule = String(appearance.glyphs.corner) + ticks.rule(cells: axis.cells, glyphs: appearance.glyphs)
        let base = Segment(String(repeating: " ", count: Self.margin - 1) + rule, appearance[.faint])
        let times = Segment(ticks.labels(margin: Self.margin, cells: axis.cells), appearance[.faint])
        for (line, content) in [(0, heading), (height - 2, [base]), (height - 1, [times])] where lines.contains(line) {
            let position = Position(column: position.column, row: position.row + line)
            frame.write(content, at: position, limit: width, ellipsis: appearance.glyphs.ellipsis)
        }
    }

    /// Draws the area and the rail of losses, with their labels.
    ///
    /// - Parameters:
    ///   - lines: the lines that are visible.
    ///   - position: the place of the heading.
    func drawArea(_ lines: Range<Int>, at position: Position, on frame: inout Frame) {
        guard lines.overlaps(areaLines), width > Self.margin else { return }
        let chart = AreaChart(
            model.charted(state),
            along: axis,
            height: areaLines.count - 1,
            cursor: model.cursor.flatMap { axis.cell(of: $0) },
            appearance: appearance
        )
        for line in lines.clamped(to: areaLines) {
            let index = line - areaLines.lowerBound
            let isRail = line == areaLines.upperBound - 1
            let mark = isRail ? Segment("lost", appearance[.faint]) : chart.marks[index]
            var position = Position(column: position.column, row: position.row + line)
            frame.writeAxis(mark, at: position, margin: Self.margin, appearance)
            position.column += Self.margin
            frame.write(isRail ? chart.rail : chart.lines[index], at: position, limit: width - Self.margin)
        }
    }
}
