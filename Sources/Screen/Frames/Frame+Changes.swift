extension Frame {
    /// Unchanged cells of the same style that are painted again rather than jumped over: a jump takes six to nine bytes.
    private static let longestBridge = 4

    /// Whether the screen has to be cleared before ``changes(from:)`` are painted.
    ///
    /// - Parameter old: what the terminal shows; nil when that is not known.
    /// - Returns: True unless `old` is a frame of the same size.
    public func clearsScreen(after old: Frame?) -> Bool {
        old?.size != size
    }

    /// What to paint so that a terminal that shows `old` shows this frame.
    ///
    /// Where ``clearsScreen(after:)`` holds, that is everything but blanks, for a screen that has just been cleared.
    ///
    /// - Parameter old: what the terminal shows; nil when that is not known.
    /// - Returns: Runs in reading order; a wide character is in them whole or not at all.
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
        // Up to here, a terminal may have put parts of a cluster that it takes for wider than it is.
        var spoilt = 0
        while column < size.columns {
            // Most are as they were, and narrow.
            if let old, column >= spoilt, cells[start + column] == old[start + column],
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
            if isChanged || column < spoilt {
                if let run = open, !bridges(run, to: column, in: row, accepting: cell) {
                    runs.append(run)
                    open = nil
                }
                var run = open ?? Run(position: Position(column: column, row: row), style: cell.style)
                for gap in run.position.column + run.columns..<column {
                    run.append(cells[start + gap].character, width: 1)
                }
                let isPlain = cell.character.isPlainlyNarrow
                let turns = !isPlain && turnsWhatFollows(column, in: row)
                if turns || !isPlain && cell.character.hasContestedWidth {
                    // Blanks first, for terminals that take it for narrower. The next run says where it starts.
                    for _ in 0..<width { run.append(" ", width: 1) }
                    var contested = Run(position: Position(column: column, row: row), style: cell.style)
                    contested.append(contested: cell.character, width: width, turnsWhatFollows: turns)
                    runs += [run, contested]
                    spoilt = max(spoilt, column + cell.character.mostColumns)
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

    /// Whether a character ends words that are written from right to left; a blank between two of them is theirs.
    private func turnsWhatFollows(_ column: Int, in row: Int) -> Bool {
        let start = row * size.columns
        guard cells[start + column].character.isRightToLeft else { return false }
        let next = cells[start..<start + size.columns].dropFirst(column + 1).prefix(2).map(\.character)
        return next.first?.isRightToLeft == false && !(next[0] == " " && next.last?.isRightToLeft == true)
    }

    /// Whether a run goes on to a changed cell: both in one style, with next to nothing between them.
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
