/// A screenful of cells, drawn by a view and painted on the terminal.
///
/// It contains printable text only: see ``write(_:at:style:limit:)``.
public struct Frame: Sendable, Equatable {
    /// The size, which never changes.
    public let size: Size
    /// The cells of each row. A copy of a frame shares the rows that are not drawn again, so that both are compared quickly.
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

extension Frame {
    /// Writes text into one row. All text on the screen passes this function, so that names and messages from the network
    /// cannot move the cursor, hide text or change its direction.
    ///
    /// Text is clipped at the frame's edges and at `limit`; a wide character that would be cut becomes a blank. Controls,
    /// bidirectional controls, other invisible characters, and combining marks without a base become
    /// ``Swift/Character/replacement``. If half of a wide character is overwritten, the other half becomes a blank.
    ///
    /// - Parameters:
    ///   - text: the text; a newline counts as a control.
    ///   - position: the position of the first character; it may lie left of the frame.
    ///   - style: the style.
    ///   - limit: the maximum number of columns to use.
    /// - Returns: The columns used, counted from `position`.
    @discardableResult
    public mutating func write(_ text: String, at position: Position, style: Style = .plain, limit: Int = .max) -> Int {
        let start = position.column
        guard position.row >= 0, position.row < size.rows, start < size.columns, limit > 0 else { return 0 }
        let end = start + min(limit, size.columns - start)
        return lines[position.row].write(text, columns: start..<end, style: style) - start
    }

    /// Writes cells of one column each into one row, as ``write(_:at:style:limit:)`` writes text. For long rows of changing
    /// styles, such as those of a chart, this is faster.
    ///
    /// - Parameters:
    ///   - cells: the cells; the second half of a wide character becomes a blank.
    ///   - position: the position of the first cell; it may lie left of the frame.
    ///   - limit: the maximum number of columns to use.
    public mutating func write(_ cells: [Cell], at position: Position, limit: Int = .max) {
        guard lines.indices.contains(position.row), limit > 0 else { return }
        let first = max(0, position.column)
        let end = min(size.columns, position.column + min(limit, cells.count))
        guard first < end else { return }
        lines[position.row].replace(first..<end, with: cells[(first - position.column)..<(end - position.column)])
    }

    /// Fills columns of a row with one character; a column that is left over by a wide character becomes a blank.
    ///
    /// - Parameters:
    ///   - row: the row; outside the frame, nothing happens.
    ///   - columns: the columns; those outside the frame are ignored.
    ///   - character: the character; one that cannot be printed becomes ``Swift/Character/replacement``.
    ///   - style: the style.
    public mutating func fill(row: Int, columns: Range<Int>, with character: Character = " ", style: Style = .plain) {
        guard row >= 0, row < size.rows else { return }
        lines[row].fill(columns.clamped(to: 0..<size.columns), with: character.printable, style: style)
    }
}

/// The cells of a row.
extension [Cell] {
    /// Puts a character of one or two columns into cells. The rest of a wide character that it overwrites becomes a blank.
    private mutating func put(_ character: Character, width: Int, column: Int, style: Style) {
        if self[column].isContinuation {
            self[column - 1] = Cell(" ", self[column - 1].style)
        }
        let end = column + width
        if end < count, self[end].isContinuation {
            self[end] = Cell(" ", self[end].style)
        }
        self[column] = Cell(character, style)
        if width == 2 {
            self[column + 1] = .continuation(style)
        }
    }

    /// Writes text into columns, the first of which may lie left of the row.
    ///
    /// - Returns: The column after the text.
    fileprivate mutating func write(_ text: String, columns: Range<Int>, style: Style) -> Int {
        var column = columns.lowerBound
        if text.plainColumns != nil {
            for scalar in text.unicodeScalars {
                guard column < columns.upperBound else { break }
                if column >= 0 { put(Character(scalar), width: 1, column: column, style: style) }
                column += 1
            }
            return column
        }
        for character in text {
            guard column < columns.upperBound else { break }
            let printable = character.printable
            let width = printable.columnsIfPrintable
            if column >= 0, column + width <= columns.upperBound {
                put(printable, width: width, column: column, style: style)
            } else if column + width > 0 {
                blank(Swift.max(column, 0)..<Swift.min(column + width, columns.upperBound), style: style)
            }
            column = Swift.min(column + width, columns.upperBound)
        }
        return column
    }

    /// Replaces cells by others, as many. The halves of wide characters at both ends become blanks.
    fileprivate mutating func replace(_ columns: Range<Int>, with cells: ArraySlice<Cell>) {
        for column in [columns.lowerBound, columns.upperBound - 1] {
            put(" ", width: 1, column: column, style: .plain)
        }
        for (column, cell) in zip(columns, cells) {
            self[column] = cell.isContinuation ? Cell(" ", cell.style) : cell
        }
    }

    fileprivate mutating func fill(_ columns: Range<Int>, with character: Character, style: Style) {
        let width = character.columnsIfPrintable
        var column = columns.lowerBound
        while column + width <= columns.upperBound {
            put(character, width: width, column: column, style: style)
            column += width
        }
        blank(column..<columns.upperBound, style: style)
    }

    private mutating func blank(_ columns: Range<Int>, style: Style) {
        for column in columns {
            put(" ", width: 1, column: column, style: style)
        }
    }
}

extension Frame {
    /// The text: the rows joined by newlines, without trailing blanks.
    public var text: String {
        rows { $0.isContinuation ? nil : $0.character }
    }

    /// The styles as text: one letter for each column.
    ///
    /// - Parameter letter: the letter for a style; a blank for one that is left out.
    /// - Returns: The rows joined by newlines, without trailing blanks.
    public func map(_ letter: (Style) -> Character) -> String {
        rows { letter($0.style) }
    }

    private func rows(_ character: (Cell) -> Character?) -> String {
        var text = ""
        for row in 0..<size.rows {
            if row > 0 { text.append("\n") }
            // Blanks are appended when a character follows.
            var blanks = 0
            for cell in lines[row] {
                guard let shown = character(cell) else { continue }
                if shown == " " {
                    blanks += 1
                } else {
                    text.append(String(repeating: " ", count: blanks))
                    text.append(shown)
                    blanks = 0
                }
            }
        }
        return text
    }
}

/// The size of a screen or of a part of it, in character cells.
public struct Size: Sendable, Hashable {
    /// Cells in a row.
    public var columns: Int
    /// Rows.
    public var rows: Int

    /// A size; negative numbers count as zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }
}

/// A position on the screen, counted from zero at the top left.
public struct Position: Sendable, Hashable {
    /// Cells from the left edge.
    public var column: Int
    /// Rows from the top.
    public var row: Int

    /// A position; it may lie outside a frame, where writing has no effect.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}
