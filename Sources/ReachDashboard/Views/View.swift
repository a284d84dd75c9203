import ReachScreen

/// A region of the screen. It keeps what it draws, and draws into an area and nothing outside of it.
protocol View {
    /// Draws the region.
    func draw(in area: Area, on frame: inout Frame)
}

extension Frame {
    /// Makes a rectangle blank.
    mutating func clear(_ area: Area) {
        for row in area.row..<area.row + max(0, area.rows) {
            fill(row: row, columns: area.column..<area.column + max(0, area.columns))
        }
    }
}

/// A rectangle of the screen that one view draws.
struct Area: Sendable, Hashable {
    var row: Int
    var column = 0
    var rows: Int
    var columns: Int

    var isEmpty: Bool { rows <= 0 || columns <= 0 }

    /// The area without its first row, the heading.
    var belowHeading: Area { Area(row: row + 1, column: column, rows: rows - 1, columns: columns) }

    func contains(_ position: Position) -> Bool {
        (row..<row + max(0, rows)).contains(position.row)
            && (column..<column + max(0, columns)).contains(position.column)
    }
}

extension Int {
    /// The scroll position that is nearest to this one and shows a row.
    ///
    /// - Parameters:
    ///   - rows: the number of rows.
    ///   - height: the number of visible rows.
    func revealing(_ row: Int, of rows: Int, height: Int) -> Int {
        let scroll = Swift.max(0, Swift.min(self, row, rows - height))
        return Swift.max(scroll, row - height + 1)
    }
}

/// The areas of the screen's regions. The list takes the remaining height; below a short list, the chart of the selected target
/// and the events take it. In a low terminal, the chart is hidden first, then the events, the headings and the banner.
///
/// ```
/// header
/// banner      (if the user has to fix a problem, or on the first run)
/// headings
/// list        (takes the remaining height)
/// chart       (of the selected target, below a short list)
/// events      (or the list of columns)
/// footer
/// ```
struct Areas: Sendable, Hashable {
    /// The size of the screen.
    let size: Size
    let header: Area
    let banner: Area
    let headings: Area
    let list: Area
    /// The chart of the selected target; empty without room for it.
    let chart: Area
    let events: Area
    let footer: Area

    /// The least rows of the chart, with the blank line below it, and of the events below a chart.
    private static let (minChartRows, minEventRows) = (RoundTripChart.minimumHeight + 1, 5)

    /// The headings, the list, the chart and the events: help, details, events and hook runs fill them.
    var body: Area {
        Area(row: headings.row, rows: max(0, footer.row - headings.row), columns: headings.columns)
    }

    /// - Parameters:
    ///   - bannerRows: the height of the banner.
    ///   - listRows: the height that the list needs; nil for all of the height.
    ///   - columnListRows: the height of the list of columns; nil while that is closed.
    ///   - hasChart: whether the view shows the chart of the selected target.
    init(size: Size, bannerRows: Int, listRows: Int? = nil, columnListRows: Int? = nil, hasChart: Bool = false) {
        self.size = size
        var row = 0
        func nextArea(rows: Int) -> Area {
            defer { row += rows }
            return Area(row: row, rows: rows, columns: size.columns)
        }
        let headingRows = size.rows < 8 ? 0 : 1
        let bannerRows = size.rows < 4 ? 0 : bannerRows
        let footerRows = size.rows >= 3 ? 1 : 0
        let headerRows = size.rows >= 2 ? 1 : 0
        // The list of columns leaves at least one row of the table.
        let lowerRows = size.rows - headerRows - bannerRows - headingRows - footerRows - 1
        // A blank line separates the events from a short list.
        let freeRows = listRows.map { lowerRows - $0 } ?? 0
        let chartRows =
            hasChart && columnListRows == nil && freeRows >= Self.minChartRows + Self.minEventRows
            ? max(Self.minChartRows, freeRows * 3 / 5) : 0
        let eventRows =
            columnListRows.map { max(0, min($0, lowerRows)) }
            ?? (size.rows < 14 ? 0 : max(min(12, max(4, size.rows / 5)), freeRows - chartRows))
        header = nextArea(rows: headerRows)
        banner = nextArea(rows: bannerRows)
        headings = nextArea(rows: headingRows)
        list = nextArea(rows: max(0, size.rows - row - chartRows - eventRows - footerRows))
        chart = nextArea(rows: chartRows)
        events = nextArea(rows: eventRows)
        footer = nextArea(rows: footerRows)
    }
}
