import Screen

/// How many charts stand beside and below each other, and how large they are.
struct GraphGrid: Sendable, Hashable {
    /// The columns before a chart: the figures of its scale, and its edge.
    static let margin = 9
    /// The rows above and below a chart: its head and its ground line.
    static let frame = 2

    /// The least width of a chart, the least height, and the height at which charts move side by side.
    private static let (leastWidth, leastHeight, goodHeight) = (44, 6, 9)
    /// Between two charts.
    private static let gap = 2

    /// Charts beside each other.
    let columns: Int
    /// Lines of charts that are seen.
    let lines: Int
    /// The columns of a chart with all that belongs to it.
    let width: Int
    /// The rows of a chart with all that belongs to it.
    let height: Int

    /// The grid of so many charts in so many columns and rows.
    init(count: Int, columns: Int, rows: Int) {
        let most = max(1, (columns + Self.gap) / (Self.leastWidth + Self.gap))
        let beside = (1...most).first { (count + $0 - 1) / $0 * Self.goodHeight <= rows } ?? most
        self.columns = beside
        lines = max(1, min((count + beside - 1) / beside, rows / Self.leastHeight))
        width = max(1, (columns - (beside - 1) * Self.gap) / beside)
        height = max(1, rows / lines)
    }

    /// Where the n-th chart of those that are seen stands.
    func area(of index: Int, in area: Area) -> Area {
        let (line, column) = index.quotientAndRemainder(dividingBy: columns)
        return Area(
            row: area.row + line * height,
            column: area.column + column * (width + Self.gap),
            rows: height,
            columns: width
        )
    }

    /// The characters of a line of a chart.
    var chartWidth: Int { max(1, width - Self.margin) }
}
