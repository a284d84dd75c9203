import Monitoring

/// The areas of the strips: headings, a row for each target, labels, and the outages of the selected one.
struct StripsLayout: Sendable, Hashable {
    let headings: Area
    /// The visible rows.
    let list: Area
    /// The labels of the slices; empty in a low terminal.
    let labels: Area
    /// The outages; empty in a low terminal.
    let outages: Area
    /// The columns of the names.
    let names: Range<Int>
    /// The first column of the strips, and the number that they have.
    let (first, room): (Int, Int)
    /// The number of figures beside the strips, 0…3.
    let figures: Int

    /// The columns of the selection mark, the health and a blank.
    private static let margin = 3
    /// The columns of a figure with the blanks before it.
    static let figureWidth = 9
    /// The rows of the outages with their heading, at least.
    private static let leastOutageRows = 5

    /// Creates the areas.
    ///
    /// - Parameters:
    ///   - body: the area of the view.
    ///   - count: the number of targets.
    ///   - nameWidth: the width of the longest name.
    init(_ body: Area, count: Int, nameWidth: Int) {
        let headingRows = body.rows < 3 ? 0 : 1
        let labelRows = body.rows < 6 ? 0 : 1
        let free = max(0, body.rows - headingRows - labelRows)
        let wanted = free < Self.leastOutageRows * 2 ? 0 : min(max(Self.leastOutageRows, free / 4), 10)
        let listRows = min(max(1, count), free - wanted)
        var row = body.row
        func nextArea(rows: Int) -> Area {
            defer { row += rows }
            return Area(row: row, rows: rows, columns: body.columns)
        }
        headings = nextArea(rows: headingRows)
        list = nextArea(rows: listRows)
        labels = nextArea(rows: labelRows)
        outages = nextArea(rows: free - listRows < 3 ? 0 : free - listRows)
        // Names of usual length get their room first.
        let limit = max(6, body.columns / 5, min(20, body.columns / 3))
        let names = min(max(6, nameWidth), limit)
        self.names = Self.margin..<Self.margin + names
        first = Self.margin + names + 2
        // The last two columns are a blank and the marks of hidden rows.
        let rest = body.columns - first - 2
        figures = max(0, min(3, (rest - 24) / Self.figureWidth))
        room = max(1, rest - figures * Self.figureWidth)
    }
}
