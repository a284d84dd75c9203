/// A screenful of cells, drawn by a view and painted on the terminal.
///
/// It contains printable text only: see ``write(_:at:style:limit:)``.
public struct Frame: Sendable, Equatable {
    /// The size, which never changes.
    public let size: Size
    /// The cells of each row. Two frames share the rows in which they do not differ, so that copying a frame and comparing
    /// it with its copy cost little.
    var lines: [[Cell]]

    /// A frame of blanks.
    public init(size: Size) {
        self.size = size
        lines = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// The cell at a position, which must lie inside the frame.
    public subscript(column column: Int, row row: Int) -> Cell {
        precondition(column >= 0 && column < size.columns && row >= 0 && row < size.rows, "outside the frame")
        return lines[row][column]
    }

    /// Shares the rows that are the same in another frame, so that the frames are compared quickly from now on. Nothing
    /// happens if the sizes differ.
    public mutating func shareRows(of other: Frame) {
        guard other.size == size else { return }
        for row in lines.indices where lines[row] == other.lines[row] { lines[row] = other.lines[row] }
    }

    /// Puts a character of one or two columns into cells inside the frame. The rest of a wide character that it overwrites
    /// becomes a blank.
    mutating func put(_ character: Character, width: Int, column: Int, row: Int, style: Style) {
        if lines[row][column].isContinuation {
            lines[row][column - 1] = Cell(" ", lines[row][column - 1].style)
        }
        let end = column + width
        if end < size.columns, lines[row][end].isContinuation {
            lines[row][end] = Cell(" ", lines[row][end].style)
        }
        lines[row][column] = Cell(character, style)
        if width == 2 {
            lines[row][column + 1] = .continuation(style)
        }
    }

    /// Makes a row blank; outside the frame, nothing happens.
    public mutating func clear(row: Int) {
        guard lines.indices.contains(row) else { return }
        lines[row] = Array(repeating: .blank, count: size.columns)
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
        var (first, end) = (inside.lowerBound, inside.upperBound)
        if lines[row][first].isContinuation { first -= 1 }
        if end < size.columns, lines[row][end].isContinuation { end += 1 }
        for column in first..<end {
            lines[row][column].style = change(lines[row][column].style)
        }
    }

    /// Replaces characters that a terminal lacks; the styles stay.
    ///
    /// - Parameter others: the replacements by the character, which is not ASCII. Both must be one column wide.
    public mutating func replace(_ others: [Character: Character]) {
        guard !others.isEmpty else { return }
        for row in lines.indices {
            for column in lines[row].indices where lines[row][column].character.utf8.count > 1 {
                guard let other = others[lines[row][column].character] else { continue }
                lines[row][column] = Cell(other, lines[row][column].style)
            }
        }
    }
}
