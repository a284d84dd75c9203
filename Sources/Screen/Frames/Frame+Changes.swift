extension Frame {
    /// How many unchanged cells of the same style are painted again instead of skipped: moving the cursor takes six to nine
    /// bytes.
    private static let longestBridge = 4

    /// Whether the screen has to be cleared before ``changes(from:)`` are painted.
    ///
    /// - Parameter old: the frame on the terminal; nil if unknown.
    /// - Returns: True unless `old` is a frame of the same size.
    public func clearsScreen(after old: Frame?) -> Bool {
        old?.size != size
    }

    /// The runs to paint so that a terminal that shows `old` shows this frame.
    ///
    /// If ``clearsScreen(after:)`` is true, these are all cells except blanks, for a screen that has just been cleared.
    ///
    /// - Parameter old: the frame on the terminal; nil if unknown.
    /// - Returns: The runs in reading order; a wide character is contained whole or not at all.
    public func changes(from old: Frame?) -> [Run] {
        let known = old.flatMap { $0.size == size ? $0 : nil }
        var runs: [Run] = []
        for row in 0..<size.rows {
            let range = row * size.columns..<(row + 1) * size.columns
            if let known, cells[range] == known.cells[range] { continue }
            appendChanges(row: row, from: known?.cells, to: &runs)
        }
        return runs
    }

    private func appendChanges(row: Int, from old: [Cell]?, to runs: inout [Run]) {
        let start = row * size.columns
        var open: Run?
        var column = 0
        // The end of the columns that a terminal may have overwritten, if it counts a cluster wider than this program does.
        var uncertainEnd = 0
        while column < size.columns {
            // The common case: unchanged and narrow.
            if let old, column >= uncertainEnd, cells[start + column] == old[start + column],
                column + 1 == size.columns || !cells[start + column + 1].isContinuation
            {
                column += 1
                continue
            }
            let cell = cells[start + column]
            let width = self.width(at: start + column, in: row)
            let isChanged = (start + column..<start + column + width).contains { index in
                !cells[index].looksLike(old?[index] ?? .blank)
            }
            if isChanged || column < uncertainEnd {
                if let run = open, !bridges(run, to: column, in: row, accepting: cell) {
                    runs.append(run)
                    open = nil
                }
                var run = open ?? Run(position: Position(column: column, row: row), style: cell.style)
                for gap in run.position.column + run.columns..<column {
                    run.append(cells[start + gap].character, width: 1)
                }
                let isPlain = cell.character.isPlainlyNarrow
                let turns = !isPlain && reordersFollowing(column, in: row)
                if turns || !isPlain && cell.character.hasContestedWidth {
                    // Blanks first, for terminals that count it narrower. The next run gets an absolute position.
                    for _ in 0..<width { run.append(" ", width: 1) }
                    var contested = Run(position: Position(column: column, row: row), style: cell.style)
                    contested.append(contested: cell.character, width: width, reordersFollowing: turns)
                    runs += [run, contested]
                    uncertainEnd = max(uncertainEnd, column + cell.character.mostColumns)
                    open = nil
                } else {
                    run.append(cell.character, width: width)
                    open = run
                }
            }
            column += width
        }
        if let open { runs.append(open) }
    }

    /// The columns of the character at an index: two where its second half follows.
    private func width(at index: Int, in row: Int) -> Int {
        index + 1 < (row + 1) * size.columns && cells[index + 1].isContinuation ? 2 : 1
    }

    /// Whether a character ends a sequence of right-to-left words; a single blank between two words belongs to it.
    private func reordersFollowing(_ column: Int, in row: Int) -> Bool {
        let start = row * size.columns
        guard cells[start + column].character.isRightToLeft else { return false }
        let next = cells[start..<start + size.columns].dropFirst(column + 1).prefix(2).map(\.character)
        return next.first?.isRightToLeft == false && !(next[0] == " " && next.last?.isRightToLeft == true)
    }

    /// Whether a run continues to a changed cell: both have one style, and few cells lie between them.
    private func bridges(_ run: Run, to column: Int, in row: Int, accepting cell: Cell) -> Bool {
        let end = run.position.column + run.columns
        guard column - end <= Self.longestBridge, fits(cell, run.style) else { return false }
        return (end..<column).allSatisfy { gap in
            let index = row * size.columns + gap
            return width(at: index, in: row) == 1 && !cells[index].isContinuation && fits(cells[index], run.style)
                && cells[index].character.utf8.count == 1
        }
    }

    private func fits(_ cell: Cell, _ style: Style) -> Bool {
        cell.style == style || (cell.isInvisible && !style.marksBlanks)
    }
}
