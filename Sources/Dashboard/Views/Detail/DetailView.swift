import Monitoring
import Screen

/// All about one target. Its head stays; the parts below scroll where they are longer than the screen.
///
/// ```
/// wide:  head                      narrow:  head
///        chart      | statistics            chart
///        phases     | events                statistics
///        distribut. | hook runs             phases …
/// ```
struct DetailView: View {
    let model: Model
    let place: DetailPlace

    /// From here on two columns stand side by side.
    private static let wide = 100
    /// The blanks between two columns.
    private static let gutter = 2

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, let standing = model.roster[place.target] else { return }
        let head = head(of: standing, columns: area.columns)
        let lines = head + body(of: standing, columns: area.columns).dropFirst(place.scroll)
        for (index, line) in lines.prefix(area.rows).enumerated() {
            frame.write(
                line,
                at: Position(column: 1, row: area.row + index),
                limit: area.columns - 2,
                ellipsis: model.look.glyphs.ellipsis
            )
        }
    }

    /// How many lines there are to scroll through, and how many of them are seen at a time.
    static func extent(of model: Model, at place: DetailPlace) -> (lines: Int, height: Int) {
        guard let standing = model.roster[place.target] else { return (0, 0) }
        let view = DetailView(model: model, place: place)
        let (columns, areas) = (model.size.columns, model.areas)
        let rows = areas.footer.row - areas.headings.row
        return (
            view.body(of: standing, columns: columns).count,
            max(1, rows - view.head(of: standing, columns: columns).count)
        )
    }

    /// The time that the chart shows.
    var axis: TimeAxis {
        TimeAxis(
            place.span,
            until: model.now,
            cells: chartWidth(columns: model.size.columns) - RoundTripChart.margin,
            columnsPerCell: BrailleChart.columnsPerCell
        )
    }

    private func chartWidth(columns: Int) -> Int {
        let width = max(1, columns - 2)
        return columns >= Self.wide ? width - Self.gutter - StatisticsPart.width : width
    }

    private func head(of standing: Standing, columns: Int) -> [[Segment]] {
        let sample = CursorSample(of: standing, in: model, along: axis)
        return DetailHead(model: model, standing: standing, sample: sample).lines(width: max(1, columns - 2)) + [[]]
    }

    private func body(of standing: Standing, columns: Int) -> [[Segment]] {
        let width = max(1, columns - 2)
        let isWide = columns >= Self.wide
        let axis = axis
        // What the time cursor has not come to yet is no part of the figures.
        let past = model.cursor.map { standing.history.before(axis.start(ofColumn: axis.column(of: $0) + 1)) }
        let samples = (past ?? standing.history[...]).suffix(Statistics.window)
        let statistics = block(
            StatisticsPart(model: model, standing: standing, statistics: Statistics(samples)),
            width: isWide ? StatisticsPart.width : width
        )
        let chart = chart(of: standing, height: isWide ? statistics.count - 1 : 0, columns: columns)
        let answers: [any DetailPart] = [
            PhasesPart(model: model, standing: standing),
            DistributionPart(model: model, roundTrips: samples.compactMap(\.roundTrip)),
            ConnectionPart(model: model, standing: standing),
        ]
        let happenings: [any DetailPart] = [
            TargetEventsPart(model: model, standing: standing), TargetHooksPart(model: model, standing: standing),
        ]
        let settings = block(SettingsPart(model: model, standing: standing), width: width)
        guard isWide else {
            return chart + statistics + (happenings + answers).flatMap { block($0, width: width) } + settings
        }
        let half = (width - Self.gutter) / 2
        let lower = beside(
            answers.flatMap { block($0, width: half) },
            happenings.flatMap { block($0, width: width - Self.gutter - half) },
            leftWidth: half
        )
        return beside(chart, statistics, leftWidth: chartWidth(columns: columns)) + lower + settings
    }

    /// The chart with its head: two fifths of the screen, or as high as what stands beside it.
    private func chart(of standing: Standing, height: Int, columns: Int) -> [[Segment]] {
        let height = max(height, 9, model.size.rows * 2 / 5)
        let title = "Round trips of the last \(axis.span.settingsText)"
        let head: [Segment] = .head(title, width: chartWidth(columns: columns), look: model.look)
        let chart = RoundTripChart(model: model, standing: standing, axis: axis, height: height - 1)
        return [head] + chart.lines() + [[]]
    }

    private func block(_ part: any DetailPart, width: Int) -> [[Segment]] {
        part.block(width: width, look: model.look)
    }

    /// Two columns of lines as one.
    private func beside(_ left: [[Segment]], _ right: [[Segment]], leftWidth: Int) -> [[Segment]] {
        (0..<max(left.count, right.count)).map { index in
            let line = index < left.count ? left[index].fitted(toColumns: leftWidth, look: model.look) : []
            let missing = leftWidth + Self.gutter - line.displayWidth
            guard index < right.count, !right[index].isEmpty else { return line }
            return line + [Segment(String(repeating: " ", count: missing), .plain)] + right[index]
        }
    }
}

extension [Segment] {
    /// The line, cut to so many columns; what is cut ends in an ellipsis.
    fileprivate func fitted(toColumns columns: Int, look: Look) -> [Segment] {
        guard displayWidth > columns else { return self }
        var room = columns
        var line: [Segment] = []
        for (index, segment) in enumerated() where room > 0 {
            let isLast =
                segment.text.displayWidth > room
                || self[(index + 1)...].displayWidth > 0 && segment.text.displayWidth == room
            let text =
                isLast ? (segment.text + " ").truncated(toColumns: room, ellipsis: look.glyphs.ellipsis) : segment.text
            line.append(Segment(text, segment.style))
            room = isLast ? 0 : room - segment.text.displayWidth
        }
        return line
    }
}

extension ArraySlice<Segment> {
    fileprivate var displayWidth: Int { Array(self).displayWidth }
}
