import Screen

/// The columns of the matrix of vantage points: the names of the targets, the verdicts, and a cell for each vantage
/// point. If not all cells fit, a part of them is shown. On a narrow terminal, the verdict is omitted.
struct VantageLayout: Sendable, Hashable {
    /// The column of the name.
    let name: Range<Int>
    /// The column of the verdict; nil if there is no room.
    let verdict: Range<Int>?
    /// The columns of the visible vantage points.
    let cells: [Range<Int>]
    /// The index of the first visible vantage point.
    let first: Int

    /// The columns of the selection mark, the health glyph and a blank.
    static let margin = 3
    /// The width of a cell, in which a figure, a failure and an age fit.
    private static let cell = 10
    private static let widestCell = 14
    private static let (least, widest) = (20, 60)

    /// - Parameters:
    ///   - first: the index of the first vantage point to show; limited so that the last ones fill the columns.
    ///   - names: the names of the vantage points.
    ///   - nameWidth: the width of the longest target.
    ///   - columns: the width of the screen.
    init(first: Int, of names: [String], nameWidth: Int, columns: Int) {
        // The last two columns are a blank and the marks of hidden rows.
        let end = max(Self.margin + 1, columns - 2)
        let wanted = max(8, min(nameWidth, 20))
        let longest = names.map(\.displayWidth).max() ?? 0
        var cell = min(max(Self.cell, longest), Self.widestCell)
        // The first cell is more important than long names.
        let nameEnd = min(Self.margin + wanted, max(Self.margin + 8, end - 1 - cell))
        let room = end - nameEnd - 1
        if room < cell { cell = max(1, room) }
        let fitting = { (width: Int) in max(0, width) / (cell + 1) }
        let all = names.count * (cell + 1)
        let count: Int
        if room >= Self.least + all {
            count = names.count
        } else if room >= Self.least + min(names.count, 2) * (cell + 1) {
            count = fitting(room - Self.least)
        } else {
            count = max(1, fitting(room + 1))
        }
        let shown = min(count, names.count)
        self.first = max(0, min(first, names.count - shown))
        let left = room - shown * (cell + 1)
        let width = min(left, Self.widest)
        name = Self.margin..<max(Self.margin, min(nameEnd, end))
        let hasVerdict = width >= Self.least || shown == 0
        verdict = hasVerdict ? nameEnd + 1..<nameEnd + 1 + max(0, width) : nil
        let start = hasVerdict ? nameEnd + 2 + width : nameEnd + 1
        cells = (0..<shown).map { index in
            let column = start + index * (cell + 1)
            return column..<max(column, min(column + cell, end))
        }
    }

    /// The indices of the visible vantage points.
    var visible: Range<Int> { first..<first + cells.count }
}
