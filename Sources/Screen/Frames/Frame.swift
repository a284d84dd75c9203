/// A screenful of cells, drawn by a view and painted on the terminal.
///
/// It contains printable text only: see ``write(_:at:style:limit:)``.
public struct Frame: Sendable, Equatable {
    /// The size, which never changes.
    public let size: Size
    /// The cells, row by row.
    var cells: [Cell]

    /// A frame of blanks.
    public init(size: Size) {
        self.size = size
        self.cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// The cell at a position, which must lie inside the frame.
    public subscript(column column: Int, row row: Int) -> Cell {
        precondition(column >= 0 && column < size.columns && row >= 0 && row < size.rows, "outside the frame")
        return cells[row * size.columns + column]
    }

    /// Puts a character of one or two columns into cells inside the frame. The rest of a wide character that it overwrites
    /// becomes a blank.
    mutating func put(_ character: Character, width: Int, column: Int, row: Int, style: Style) {
        let index = row * size.columns + column
        if cells[index].isContinuation {
            cells[index - 1] = Cell(" ", cells[index - 1].style)
        }
        if column + width < size.columns, cells[index + width].isContinuation {
            cells[index + width] = Cell(" ", cells[index + width].style)
        }
        cells[index] = Cell(character, style)
        if width == 2 {
            cells[index + 1] = .continuation(style)
        }
    }

    /// Changes only the styles of cells. A wide character has one style, even if only one half is in the range.
    ///
    /// - Parameters:
    ///   - row: the row; outside the frame, nothing happens.
    ///   - columns: the columns; those outside the frame are ignored.
    ///   - change: returns the new style for the present one.
    public mutating func restyle(row: Int, columns: Range<Int>, _ change: (Style) -> Style) {
        guard row >= 0, row < size.rows else { return }
        let inside = columns.clamped(to: 0..<size.columns)
        guard !inside.isEmpty else { return }
        let start = row * size.columns
        var (first, end) = (start + inside.lowerBound, start + inside.upperBound)
        if cells[first].isContinuation { first -= 1 }
        if end < start + size.columns, cells[end].isContinuation { end += 1 }
        for index in first..<end {
            cells[index].style = change(cells[index].style)
        }
    }

    /// Replaces characters that a terminal lacks; the styles stay.
    ///
    /// - Parameter others: the replacements by the character, which is not ASCII. Both must be one column wide.
    public mutating func replace(_ others: [Character: Character]) {
        guard !others.isEmpty else { return }
        for index in cells.indices where cells[index].character.utf8.count > 1 {
            guard let other = others[cells[index].character] else { continue }
            cells[index] = Cell(other, cells[index].style)
        }
    }
}
