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
        var column = start
        if text.plainColumns != nil {
            for scalar in text.unicodeScalars {
                guard column < end else { break }
                if column >= 0 { put(Character(scalar), width: 1, column: column, row: position.row, style: style) }
                column += 1
            }
            return column - start
        }
        for character in text {
            guard column < end else { break }
            let printable = character.printable
            let width = printable.columnsIfPrintable
            if column >= 0, column + width <= end {
                put(printable, width: width, column: column, row: position.row, style: style)
            } else if column + width > 0 {
                blank(max(column, 0)..<min(column + width, end), row: position.row, style: style)
            }
            column = min(column + width, end)
        }
        return column - start
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
        // The halves of wide characters at both ends become blanks.
        for column in [first, end - 1] {
            put(" ", width: 1, column: column, row: position.row, style: .plain)
        }
        for column in first..<end {
            let cell = cells[column - position.column]
            lines[position.row][column] = cell.isContinuation ? Cell(" ", cell.style) : cell
        }
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
        let inside = columns.clamped(to: 0..<size.columns)
        let printable = character.printable
        let width = printable.columnsIfPrintable
        var column = inside.lowerBound
        while column + width <= inside.upperBound {
            put(printable, width: width, column: column, row: row, style: style)
            column += width
        }
        blank(column..<inside.upperBound, row: row, style: style)
    }

    private mutating func blank(_ columns: Range<Int>, row: Int, style: Style) {
        for column in columns {
            put(" ", width: 1, column: column, row: row, style: style)
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
