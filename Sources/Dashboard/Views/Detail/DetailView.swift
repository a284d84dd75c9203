import Monitoring
import Screen

/// The details of one target. The header stays; the parts below it scroll if they do not fit.
///
/// ```
/// wide:  header                    narrow:  header
///        chart      | statistics            chart
///        phases     | events                statistics
///        distribut. | hook runs             events …
///        connection | settings
/// ```
struct DetailView: View {
    let model: Model
    let viewState: DetailViewState

    /// The minimum width for two columns side by side.
    private static let wide = 100
    /// The number of blanks between two columns.
    private static let gutter = 2

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, let state = model.roster[viewState.target] else { return }
        let header = header(of: state, columns: area.columns)
        let body = body(of: state, columns: area.columns, height: area.rows - header.count)
        let lines = header + body.dropFirst(viewState.scroll)
        for (index, line) in lines.prefix(area.rows).enumerated() {
            frame.write(
                line,
                at: Position(column: 1, row: area.row + index),
                limit: area.columns - 2,
                ellipsis: model.appearance.glyphs.ellipsis
            )
        }
        let pane = Area(
            row: area.row + header.count,
            rows: max(0, area.rows - header.count),
            columns: area.columns
        )
        let visible = body.indices.dropFirst(viewState.scroll).prefix(pane.rows)
        guard visible.count < body.count, !visible.isEmpty else { return }
        frame.writeScrollMarks(visible.indices, of: body.count, in: pane, model.appearance)
        // The last line of the header has the range, if it has room for it.
        let range = "lines \(visible.startIndex + 1)–\(visible.endIndex) of \(body.count)"
        let column = area.columns - 1 - range.displayWidth
        guard let last = header.last, last.displayWidth + 3 <= column else { return }
        frame.write(range, at: Position(column: column, row: pane.row - 1), style: model.appearance[.faint])
    }

    /// Returns the number of scrollable lines, and how many of them are visible at a time.
    static func extent(of model: Model, at viewState: DetailViewState) -> (lines: Int, height: Int) {
        guard let state = model.roster[viewState.target] else { return (0, 0) }
        let view = DetailView(model: model, viewState: viewState)
        let header = view.header(of: state, columns: model.size.columns)
        let height = max(1, model.areas.body.rows - header.count)
        return (view.body(of: state, columns: model.size.columns, height: height).count, height)
    }

    /// The time axis of the chart.
    var axis: TimeAxis {
        TimeAxis(
            viewState.span,
            until: model.chartEnd,
            origin: model.chartOrigin,
            cells: chartWidth(columns: model.size.columns) - RoundTripChart.margin,
            columnsPerCell: BrailleChart.columnsPerCell
        )
    }

    private func chartWidth(columns: Int) -> Int {
        let width = max(1, columns - 2)
        return columns >= Self.wide ? width - Self.gutter - StatisticsPart.width : width
    }

    private func header(of state: TargetState, columns: Int) -> [[Segment]] {
        let sample = CursorSample(of: state, in: model, along: axis)
        return DetailHeader(model: model, state: state, sample: sample).lines(width: max(1, columns - 2))
    }

    /// Returns the parts, without the blank line after the last.
    ///
    /// - Parameter height: the number of visible lines.
    private func body(of state: TargetState, columns: Int, height: Int) -> [[Segment]] {
        let lines = parts(of: state, columns: columns, height: height)
        return lines.last?.isEmpty == true ? lines.dropLast() : lines
    }

    private func parts(of state: TargetState, columns: Int, height: Int) -> [[Segment]] {
        let width = max(1, columns - 2)
        let isWide = columns >= Self.wide
        let samples = state.history.suffix(Statistics.window)
        let statistics = block(
            StatisticsPart(model: model, state: state, statistics: Statistics(samples)),
            width: isWide ? StatisticsPart.width : width
        )
        // Half of the screen, as high as the statistics beside it, or so high that those below it are visible too.
        let half = model.size.rows / 2
        let chart = chart(
            of: state,
            height: isWide ? max(half, statistics.count - 1) : min(half, height - statistics.count),
            columns: columns
        )
        let replyParts: [any DetailPart] = [
            PhasesPart(model: model, state: state),
            DistributionPart(
                model: model,
                roundTrips: samples.compactMap(\.roundTrip),
                slow: state.target.thresholds.slow
            ),
            ConnectionPart(model: model, state: state),
        ]
        let historyParts: [any DetailPart] = [
            VantagePart(model: model, state: state), TargetEventsPart(model: model, state: state),
            TargetHooksPart(model: model, state: state),
        ]
        let settings: [any DetailPart] = [SettingsPart(model: model, state: state)]
        guard isWide else {
            return chart + statistics + (historyParts + replyParts + settings).flatMap { block($0, width: width) }
        }
        let left = (width - Self.gutter) / 2
        let lower = beside(
            replyParts.flatMap { block($0, width: left) },
            (historyParts + settings).flatMap { block($0, width: width - Self.gutter - left) },
            leftWidth: left
        )
        return beside(chart, statistics, leftWidth: chartWidth(columns: columns)) + lower
    }

    /// The chart with its heading, in at least nine lines.
    private func chart(of state: TargetState, height: Int, columns: Int) -> [[Segment]] {
        let height = max(height, 9)
        let title = "Round trips of the last \(axis.span.lastSpanText)"
        let legend = axis.legend(interval: state.target.interval, glyphs: model.appearance.glyphs)
        let heading: [Segment] = .heading(
            title,
            note: legend,
            width: chartWidth(columns: columns),
            appearance: model.appearance
        )
        let chart = RoundTripChart(model: model, state: state, axis: axis, height: height - 1)
        return [heading] + chart.lines() + [[]]
    }

    private func block(_ part: any DetailPart, width: Int) -> [[Segment]] {
        part.block(width: width, appearance: model.appearance)
    }

    /// Joins two columns of lines.
    private func beside(_ left: [[Segment]], _ right: [[Segment]], leftWidth: Int) -> [[Segment]] {
        (0..<max(left.count, right.count)).map { index in
            let line = index < left.count ? left[index].fitted(toColumns: leftWidth, appearance: model.appearance) : []
            let missing = leftWidth + Self.gutter - line.displayWidth
            guard index < right.count, !right[index].isEmpty else { return line }
            return line + [Segment(String(repeating: " ", count: missing), .plain)] + right[index]
        }
    }
}

extension [Segment] {
    /// Returns the line truncated to a width, with an ellipsis if it was longer.
    fileprivate func fitted(toColumns columns: Int, appearance: Appearance) -> [Segment] {
        guard displayWidth > columns else { return self }
        var room = columns
        var line: [Segment] = []
        for (index, segment) in enumerated() where room > 0 {
            let isLast =
                segment.text.displayWidth > room
                || self[(index + 1)...].displayWidth > 0 && segment.text.displayWidth == room
            let text =
                isLast
                ? (segment.text + " ").truncated(toColumns: room, ellipsis: appearance.glyphs.ellipsis) : segment.text
            line.append(Segment(text, segment.style))
            room = isLast ? 0 : room - segment.text.displayWidth
        }
        return line
    }
}

extension ArraySlice<Segment> {
    fileprivate var displayWidth: Int { Array(self).displayWidth }
}
