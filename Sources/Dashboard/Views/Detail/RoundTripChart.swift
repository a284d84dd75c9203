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
    private let chart: AreaChart

    private var appearance: Appearance { model.appearance }

    /// The columns left of the chart: labels of at most seven columns, and the axis.
    static let margin = 9
    /// The minimum height of the area in lines.
    static let minimumHeight = 4
    /// The lines below the area: the rail of losses, the base line and the times.
    private static let footLines = 3

    init(model: Model, state: TargetState, axis: TimeAxis, height: Int) {
        self.model = model
        self.state = state
        self.axis = axis
        chart = AreaChart(
            model.charted(state),
            along: axis,
            height: max(Self.minimumHeight, height - Self.footLines),
            cursor: model.cursor.flatMap { axis.cell(of: $0) },
            appearance: model.appearance
        )
    }

    /// Returns the lines of the chart, the rail of losses, the base line, and the times below it.
    func lines() -> [[Segment]] {
        let (edge, corner) = (appearance.glyphs.edge, appearance.glyphs.corner)
        let ticks = ClockTicks(axis, wall: model.wall)
        let area = chart.lines.enumerated().map { label(chart.marks[$0], edge) + [Segment]($1) }
        let rail = label(Segment("lost", appearance[.faint]), edge) + [Segment](chart.rail)
        let rule = Segment(ticks.rule(cells: axis.cells, glyphs: appearance.glyphs), appearance[.faint])
        let times = Segment(ticks.labels(margin: Self.margin, cells: axis.cells), appearance[.faint])
        return area + [rail, label(nil, corner) + [rule], [times]]
    }

    private func label(_ mark: Segment?, _ edge: Character) -> [Segment] {
        [Segment](mark: mark, margin: Self.margin, edge: edge, appearance: appearance)
    }
}
