import Monitoring

/// The ticks of the time axis of graphs, with their labels.
struct GraphTicks: Sendable, Hashable {
    /// A tick and its label.
    struct Tick: Sendable, Hashable {
        /// The index of the character, from the left of the chart.
        let column: Int
        /// The age in a single unit: `30s`, `5m`, `1h`.
        let label: String

        fileprivate init(_ axis: TimeAxis, ago: Duration) {
            column = max(0, axis.cells - Int((ago / (axis.step * axis.columnsPerCell)).rounded()))
            let seconds = ago.components.seconds
            label =
                axis.span < .seconds(120)
                ? "\(seconds)s" : seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : "\(seconds / 60)m"
        }
    }

    /// The width of a label with the blanks around it.
    private static let room = 12.0
    /// The distances between ticks, which are round times.
    private static let distances: [Duration] = [10, 15, 20, 30, 60, 300, 600, 900, 1_200, 1_800].map { .seconds($0) }

    /// The ticks, oldest first.
    let ticks: [Tick]

    /// Creates the ticks of an axis at multiples of the shortest distance that leaves room for their labels; one at the
    /// start of the span if there is none.
    init(_ axis: TimeAxis) {
        let cell = axis.step * axis.columnsPerCell
        let fitting = Self.distances.filter { $0 <= axis.span && $0 / cell >= Self.room }
        // The start of the span has a label if possible.
        let distance = fitting.prefix(2).first { (axis.span / $0).truncatingRemainder(dividingBy: 1) == 0 }
        let shown = distance ?? fitting.first ?? axis.span
        ticks = (1...max(1, Int(axis.span / shown))).reversed().map { Tick(axis, ago: shown * $0) }
    }
}

extension TimeAxis {
    /// Creates the axis of graphs. Columns are at most half a second or whole seconds: with 0.75 s, each third probe of a
    /// target that is probed once a second would fill two columns, and the charts would not advance together. So the
    /// minute becomes up to two.
    init(ofGraphs span: Duration, until: Duration, origin: Duration, cells: Int) {
        let columns = Int64(cells * BrailleChart.columnsPerCell)
        let second: Int64 = 1_000_000_000
        let isFraction = span.nanoseconds < columns * second && span.nanoseconds * 2 > columns * second
        self.init(
            isFraction ? .seconds(columns) : span,
            until: until,
            origin: origin,
            cells: cells,
            columnsPerCell: BrailleChart.columnsPerCell
        )
    }
}
