/// A screenful of cells: what a view draws, and what the terminal shows once it is painted.
///
/// Nothing but printable text ever gets in, whatever is written: see ``write(_:at:style:limit:)``.
public struct Frame: Sendable, Equatable {
    /// The extent, fixed for the life of the frame.
    public let size: Size
    /// Row by row, `size.columns` for each.
    var cells: [Cell]

    /// A frame of blanks.
    public init(size: Size) {
        self.size = size
        self.cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// The cell at a place, which has to lie inside the frame.
    public subscript(column column: Int, row row: Int) -> Cell {
        precondition(column >= 0 && column < size.columns && row >= 0 && row < size.rows, "outside the frame")
        return cells[row * size.columns + column]
    }

    /// Puts a character of one or two columns into cells that are inside the frame, and blanks what is left of the wide
    /// characters that it cuts.
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

    /// Changes the looks of cells and nothing else. A wide character has one look: half of it counts as the whole.
    ///
    /// - Parameters:
    ///   - row: the row; nothing happens outside the frame.
    ///   - columns: the columns; those outside the frame are left out.
    ///   - change: gives the new style for a cell's present one.
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

    /// Puts other characters in the place of some that a terminal lacks; the looks stay.
    ///
    /// - Parameter others: what stands for what, and is not ASCII. Both are a column wide: what is wider would move the
    ///   rest of its row.
    public mutating func replace(_ others: [Character: Character]) {
        guard !others.isEmpty else { return }
        for index in cells.indices where cells[index].character.utf8.count > 1 {
            guard let other = others[cells[index].character] else { continue }
            cells[index] = Cell(other, cells[index].style)
        }
    }
}
