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
            if let known, lines[row] == known.lines[row] { continue }
            appendChanges(row: row, from: known?.lines[row], to: &runs)
        }
        return runs
    }

    private func appendChanges(row: Int, from old: [Cell]?, to runs: inout [Run]) {
        let cells = lines[row]
        var open: Run?
        var column = 0
        // The end of the columns that a terminal may have overwritten, if it counts a cluster wider than this program does, or
        // if a bar overflows its cell: the cell behind it is painted after it.
        var uncertainEnd = 0
        while column < size.columns {
            // The common case: unchanged and narrow.
            if let old, column >= uncertainEnd, cells[column] == old[column],
                column + 1 == size.columns || !cells[column + 1].isContinuation
            {
                column += 1
                continue
            }
            let cell = cells[column]
            let width = Self.width(at: column, in: cells)
            let isChanged = (column..<column + width).contains { index in
                !cells[index].looksLike(old?[index] ?? .blank)
            }
            if isChanged || column < uncertainEnd {
                if cell.character.overflowsCell { uncertainEnd = max(uncertainEnd, column + 2) }
                if let run = open, !Self.bridges(run, to: column, in: cells, accepting: cell) {
                    runs.append(run)
                    open = nil
                }
                var run = open ?? Run(position: Position(column: column, row: row), style: cell.style)
                for gap in run.position.column + run.columns..<column {
                    run.append(cells[gap].character, width: 1)
                }
                let isPlain = cell.character.isPlainlyNarrow
                let turns = !isPlain && Self.reordersFollowing(column, in: cells)
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
    private static func width(at column: Int, in cells: [Cell]) -> Int {
        column + 1 < cells.count && cells[column + 1].isContinuation ? 2 : 1
    }

    /// Whether a character ends a sequence of right-to-left words; a single blank between two words belongs to it.
    private static func reordersFollowing(_ column: Int, in cells: [Cell]) -> Bool {
        guard cells[column].character.isRightToLeft else { return false }
        let next = cells.dropFirst(column + 1).prefix(2).map(\.character)
        return next.first?.isRightToLeft == false && !(next[0] == " " && next.last?.isRightToLeft == true)
    }

    /// Whether a run continues to a changed cell: both have one style, and few cells lie between them.
    private static func bridges(_ run: Run, to column: Int, in cells: [Cell], accepting cell: Cell) -> Bool {
        let end = run.position.column + run.columns
        guard column - end <= longestBridge, fits(cell, run.style) else { return false }
        return (end..<column).allSatisfy { gap in
            width(at: gap, in: cells) == 1 && !cells[gap].isContinuation && fits(cells[gap], run.style)
                && cells[gap].character.utf8.count == 1
        }
    }

    private static func fits(_ cell: Cell, _ style: Style) -> Bool {
        cell.style == style || (cell.isInvisible && !style.marksBlanks)
    }
}
