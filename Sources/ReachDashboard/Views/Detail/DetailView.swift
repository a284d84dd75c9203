import ReachMonitoring
import ReachScreen

/// The details of one target. The header stays; the parts below it scroll if they do not fit.
///
/// ```
/// wide:  header                    narrow:  header
///        chart      | statistics            chart
///        phases     | availability          statistics
///        distribut. | events                availability …
///        connection | hook runs, settings
/// ```
struct DetailView: View {
    private let context: ViewContext
    private let viewState: DetailViewState
    private let size: Size
    private let fleetHistory: (name: String, value: FleetHistory?)?

    init(model: Model, viewState: DetailViewState) {
        (context, self.viewState, size) = (ViewContext(model), viewState, model.size)
        fleetHistory = model.fleet.history
    }

    /// The minimum width for two columns side by side.
    private static let wide = 100
    /// The number of blanks between two columns.
    private static let gutter = 2

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, let layout = layout(in: area) else { return }
        let header = layout.header
        let ellipsis = context.appearance.glyphs.ellipsis
        frame.write(header, in: area, ellipsis: ellipsis)
        layout.chart.draw(layout.visible(layout.chart.height), at: layout.position(line: 0), on: &frame)
        for block in layout.blocks {
            for line in layout.visible(block.lines.count, from: block.line) {
                var position = layout.position(line: block.line + line)
                position.column += block.column
                frame.write(block.lines[line], at: position, limit: block.width, ellipsis: ellipsis)
            }
        }
        let visible = layout.visible(layout.count)
        guard visible.count < layout.count, !visible.isEmpty else { return }
        frame.writeScrollMarks(visible, of: layout.count, in: layout.pane, context.appearance)
        // The last line of the header has the range, if it has room for it.
        let range = "lines \(visible.lowerBound + 1)–\(visible.upperBound) of \(layout.count)"
        let column = area.columns - 1 - range.displayWidth
        guard let last = header.last, last.displayWidth + 3 <= column else { return }
        frame.write(range, at: Position(column: column, row: layout.pane.row - 1), style: context.appearance[.faint])
    }

    /// Returns the number of scrollable lines, and how many of them are visible at a time.
    func extent(in area: Area) -> (lines: Int, height: Int) {
        guard let layout = layout(in: area) else { return (0, 0) }
        return (layout.count, max(1, layout.pane.rows))
    }

    /// The time axis of the chart.
    var axis: TimeAxis {
        var axis = TimeAxis(
            viewState.span,
            until: context.chartEnd(showing: viewState.span),
            origin: context.chartOrigin,
            cells: chartWidth(columns: size.columns) - RoundTripChart.margin,
            columnsPerCell: BrailleChart.columnsPerCell
        )
        if let state = context.roster[viewState.target] {
            axis.end(at: context.chartEnd(of: state, step: axis.step))
        }
        return axis
    }

    /// The columns of a chart of a long time; nil for a time whose samples are in memory.
    var storedPeriod: ChartPeriod? {
        let axis = axis
        return axis.isStored ? axis.period(wall: context.wall) : nil
    }

    // MARK: Layout

    /// The header, and the parts with their positions.
    private struct Layout {
        /// The lines of a part or of several, one below the other.
        struct Block {
            /// The index of its first line in the body.
            let line: Int
            var column = 0
            let width: Int
            let lines: [[Segment]]

            /// The index of the line after its last.
            var end: Int { line + lines.count }
        }

        let area: Area
        let header: [[Segment]]
        /// The index of the first visible line of the body.
        let scroll: Int
        /// The chart, which is at the top of the body.
        let chart: RoundTripChart
        /// The other parts, each with a blank line after it.
        let blocks: [Block]

        /// The area of the body.
        var pane: Area {
            Area(row: area.row + header.count, rows: max(0, area.rows - header.count), columns: area.columns)
        }

        /// The number of lines of the body, without the blank one after the last part.
        var count: Int { (blocks.map(\.end).max() ?? 0) - 1 }

        /// Returns which of a number of lines from a line of the body on are visible.
        func visible(_ count: Int, from line: Int = 0) -> Range<Int> {
            (scroll - line..<scroll - line + pane.rows).clamped(to: 0..<count)
        }

        /// Returns the position of a line of the body, outside of the pane if the line is not visible.
        func position(line: Int) -> Position {
            Position(column: 1, row: pane.row + line - scroll)
        }
    }

    private func layout(in area: Area) -> Layout? {
        guard let state = context.roster[viewState.target] else { return nil }
        let (axis, width) = (axis, max(1, area.columns - 2))
        let sample = CursorSample(of: state, in: context, along: axis)
        let header = DetailHeader(context: context, state: state, sample: sample).lines(width: width)
        let isWide = area.columns >= Self.wide
        let samples = state.history.suffix(Statistics.window)
        let statistics = lines(
            of: [StatisticsPart(context: context, state: state, statistics: Statistics(samples))],
            width: isWide ? StatisticsPart.width : width
        )
        // Half of the screen, as high as the statistics beside it, or so high that those below it are visible too.
        let half = size.rows / 2
        let height =
            isWide ? max(half, statistics.count - 1) : min(half, area.rows - header.count - statistics.count)
        let chartWidth = chartWidth(columns: area.columns)
        let chart = RoundTripChart(context: context, state: state, axis: axis, width: chartWidth, height: height)
        let replies: [any DetailPart] = [
            PhasesPart(context: context, state: state),
            DistributionPart(
                context: context,
                roundTrips: samples.compactMap(\.roundTrip),
                slow: state.target.thresholds.slow
            ),
            ConnectionPart(context: context, state: state),
        ]
        let past: [any DetailPart] = [
            VantagePart(context: context, state: state),
            FleetHistoryPart(context: context, state: state, read: fleetHistory),
            AvailabilityPart(context: context, state: state), TargetEventsPart(context: context, state: state),
            TargetHooksPart(context: context, state: state),
        ]
        let settings = SettingsPart(context: context, state: state)
        // A blank line is below the chart too.
        let chartEnd = chart.height + 1
        let blocks: [Layout.Block]
        if isWide {
            let column = chartWidth + Self.gutter
            let beside = Layout.Block(line: 0, column: column, width: StatisticsPart.width, lines: statistics)
            let (start, left) = (max(chartEnd, beside.end), (width - Self.gutter) / 2)
            let right = width - Self.gutter - left
            blocks = [
                beside, Layout.Block(line: start, width: left, lines: lines(of: replies, width: left)),
                Layout.Block(
                    line: start,
                    column: left + Self.gutter,
                    width: right,
                    lines: lines(of: past + [settings], width: right)
                ),
            ]
        } else {
            let others = lines(of: past + replies + [settings], width: width)
            blocks = [Layout.Block(line: chartEnd, width: width, lines: statistics + others)]
        }
        return Layout(area: area, header: header, scroll: viewState.scroll, chart: chart, blocks: blocks)
    }

    private func lines(of parts: [any DetailPart], width: Int) -> [[Segment]] {
        parts.flatMap { $0.block(width: width, appearance: context.appearance) }
    }

    private func chartWidth(columns: Int) -> Int {
        let width = max(1, columns - 2)
        return columns >= Self.wide ? width - Self.gutter - StatisticsPart.width : width
    }
}

/// A part of the detail view: a heading, and lines that fit a width.
protocol DetailPart {
    /// The heading.
    var title: String { get }

    /// Returns the lines below the heading. If there are none, the heading is omitted too.
    func lines(width: Int) -> [[Segment]]
}

extension DetailPart {
    /// Returns the heading, the lines, and a blank line.
    func block(width: Int, appearance: Appearance) -> [[Segment]] {
        let lines = lines(width: width)
        guard !lines.isEmpty else { return [] }
        return [.heading(title, width: width, appearance: appearance)] + lines + [[]]
    }
}

extension [Segment] {
    /// The heading of a part: its title, a note if it fits, and a rule to the edge.
    static func heading(_ title: String, note: String? = nil, width: Int, appearance: Appearance) -> [Segment] {
        let available = width - title.displayWidth - 1
        let text = note.map { " \($0) " } ?? ""
        let shown = text.displayWidth < available ? text : ""
        let rule = String(repeating: appearance.glyphs.rule, count: Swift.max(0, available - shown.displayWidth))
        return [Segment("\(title) ", appearance[.title]), Segment(shown + rule, appearance[.faint])]
    }

    /// A line with a name and a value. All values are aligned in one column.
    static func field(_ name: String, _ value: [Segment], appearance: Appearance) -> [Segment] {
        [Segment(name.padded(toColumns: 13), appearance[.faint])] + value
    }
}

extension [[Segment]] {
    /// Lays out the pieces in lines, as many per line as fit, with `gap` blanks between them.
    func flowing(width: Int, gap: Int = 3) -> [[Segment]] {
        var lines: [[Segment]] = []
        for piece in self {
            let width = width - gap - piece.displayWidth
            if let last = lines.last, last.displayWidth <= width {
                lines[lines.count - 1] += [Segment(String(repeating: " ", count: gap), .plain)] + piece
            } else {
                lines.append(piece)
            }
        }
        return lines
    }
}
