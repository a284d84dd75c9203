import Screen

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
