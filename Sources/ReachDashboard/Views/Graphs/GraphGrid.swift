import ReachMonitoring
import ReachScreen

/// The grid of the graphs view: the number of charts per line and screen, and their size.
struct GraphGrid: Sendable, Hashable {
    /// The columns left of a chart: the labels of its scale, and its edge.
    static let margin = 9
    /// The rows above and below a chart: its heading, its rail of losses and its base line.
    static let frame = 3

    /// The minimum width and height of a chart, and the height below which charts are placed side by side.
    private static let (minimumWidth, minimumHeight, preferredHeight) = (44, 6, 9)
    /// The number of blanks between two charts.
    private static let gap = 2

    /// The number of charts in a line.
    let columns: Int
    /// The number of visible lines of charts.
    let lines: Int
    /// The width of a chart with its margin.
    let width: Int
    /// The height of a chart with its heading and base line. The first lines have one row more, so that none is left.
    private let height: Int
    /// The number of lines with one row more.
    private let higherLines: Int

    /// Creates the grid for a number of charts and a size.
    init(count: Int, columns: Int, rows: Int) {
        let limit = max(1, (columns + Self.gap) / (Self.minimumWidth + Self.gap))
        let perLine = (1...limit).first { (count + $0 - 1) / $0 * Self.preferredHeight <= rows } ?? limit
        self.columns = perLine
        lines = max(1, min((count + perLine - 1) / perLine, rows / Self.minimumHeight))
        width = max(1, (columns - (perLine - 1) * Self.gap) / perLine)
        height = max(1, rows / lines)
        higherLines = max(0, rows - height * lines)
    }

    /// Returns the area of a visible chart.
    func area(of index: Int, in area: Area) -> Area {
        let (line, column) = index.quotientAndRemainder(dividingBy: columns)
        return Area(
            row: area.row + line * height + min(line, higherLines),
            column: area.column + column * (width + Self.gap),
            rows: height + (line < higherLines ? 1 : 0),
            columns: width
        )
    }

    /// The width of the chart itself, in characters.
    var chartWidth: Int { max(1, width - Self.margin) }
}

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
    private static let labelWidth = 12.0
    /// The distances between ticks, which are round times.
    private static let distances: [Duration] = [10, 15, 20, 30, 60, 300, 600, 900, 1_200, 1_800].map { .seconds($0) }

    /// The ticks, oldest first.
    let ticks: [Tick]

    /// Creates the ticks of an axis at multiples of the shortest distance that leaves room for their labels; one at the
    /// start of the span if there is none.
    init(_ axis: TimeAxis) {
        let cell = axis.step * axis.columnsPerCell
        let fitting = Self.distances.filter { $0 <= axis.span && $0 / cell >= Self.labelWidth }
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
