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
    ///   - limit: the most columns to use.
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
    ///   - limit: the most columns to use.
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
