import ReachMonitoring
import ReachScreen

/// The chart and the statistics of the selected target, in the rows that a short table leaves. Of a group, it is the target that
/// needs attention most.
struct SelectedTargetView: View {
    private let context: ViewContext
    private let state: TargetState
    private let span: Duration

    /// The least columns with statistics beside the chart, and the blanks between the two.
    private static let (wide, gutter) = (100, 2)

    /// Creates the view; nil if there is no room for it, or no target.
    init?(model: Model) {
        guard !model.areas.chart.isEmpty, let position = Self.position(in: model) else { return nil }
        context = ViewContext(model)
        (state, span) = (context.roster.states[position], model.graphs.span)
    }

    /// The target that is shown.
    var target: Target.ID { state.id }

    /// The position of the target in the target states.
    private static func position(in model: Model) -> Int? {
        guard let index = model.selection.index(in: model.rows) else { return nil }
        switch model.rows[index] {
        case .target(_, let position):
            return position
        case .group(_, let members, _):
            let summaries = model.shownRoster.states.targetSummaries
            return model.list.order.positions[members].min { summaries[$0].urgency < summaries[$1].urgency }
        }
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = context.appearance
        let isWide = area.columns >= Self.wide
        let columns = area.columns - 2
        let width = isWide ? columns - Self.gutter - StatisticsPart.width : columns
        var axis = TimeAxis(
            span,
            until: context.chartEnd(showing: span),
            origin: context.chartOrigin,
            cells: width - RoundTripChart.margin,
            columnsPerCell: BrailleChart.columnsPerCell
        )
        axis.end(at: context.chartEnd(of: state, step: axis.step))
        // A blank line is below the chart.
        let height = area.rows - 1
        let chart = RoundTripChart(
            context: context,
            state: state,
            axis: axis,
            width: width,
            height: height,
            name: state.target.label
        )
        chart.draw(0..<height, at: Position(column: 1, row: area.row), on: &frame)
        guard isWide else { return }
        let part = StatisticsPart(context: context, state: state, statistics: state.statistics)
        for (line, segments) in part.block(width: StatisticsPart.width, appearance: appearance).prefix(height)
            .enumerated()
        {
            frame.write(
                segments,
                at: Position(column: 1 + width + Self.gutter, row: area.row + line),
                limit: StatisticsPart.width,
                ellipsis: appearance.glyphs.ellipsis
            )
        }
    }
}
