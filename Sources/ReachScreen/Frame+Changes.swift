extension Frame {
    /// How many unchanged cells of the same style are painted again instead of skipped: moving the cursor takes six to nine
    /// bytes.
    private static let maxBridgedCells = 4

    /// The runs of all cells except blanks, to paint on an empty screen, in reading order.
    public var runs: [Run] {
        var runs: [Run] = []
        for row in 0..<size.rows { appendChanges(row: row, from: nil, to: &runs) }
        return runs
    }

    /// The changes on a terminal that shows `old`, a frame of the same size, so that it shows this frame.
    public func changes(from old: Frame) -> FrameChanges {
        precondition(old.size == size, "frames of different sizes")
        var changes = FrameChanges()
        var above: [CellMove] = []
        // Rows that both frames share are compared at once.
        for row in 0..<size.rows where lines[row] != old.lines[row] {
            let moves = CellMoveSearch(row: row, cells: lines[row], old: old.lines[row], above: above).moves
            if !moves.isEmpty { above = moves }
            changes.moves += moves
            appendChanges(row: row, from: old.lines[row].applying(moves), to: &changes.runs)
        }
        return changes
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
                    uncertainEnd = max(uncertainEnd, column + cell.character.maxColumns)
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
        guard column - end <= maxBridgedCells, fits(cell, run.style) else { return false }
        return (end..<column).allSatisfy { gap in
            width(at: gap, in: cells) == 1 && !cells[gap].isContinuation && fits(cells[gap], run.style)
                && cells[gap].character.utf8.count == 1
        }
    }

    private static func fits(_ cell: Cell, _ style: Style) -> Bool {
        cell.style == style || (cell.isInvisible && !style.marksBlanks)
    }
}

/// Adjacent cells of one row in one style, painted at once.
public struct Run: Sendable, Hashable {
    /// The position of the first cell.
    public let position: Position
    /// The style. A blank inside may have had another one that looks the same.
    public let style: Style
    /// The characters, printable ones only.
    public private(set) var text: String
    /// The columns that the text fills.
    public private(set) var columns: Int
    /// Whether it is one character about whose width terminals disagree, so that the cursor is unknown after it.
    public private(set) var isContested = false
    /// Whether a terminal that reorders right-to-left words may also reorder the figures after this one character.
    public private(set) var reordersFollowing = false

    init(position: Position, style: Style) {
        self.position = position
        self.style = style
        self.text = ""
        self.columns = 0
    }

    /// Appends the only character of a run.
    mutating func append(contested character: Character, width: Int, reordersFollowing: Bool = false) {
        append(character, width: width)
        isContested = true
        self.reordersFollowing = reordersFollowing
    }

    /// Appends a character.
    mutating func append(_ character: Character, width: Int) {
        text.append(character)
        columns += width
    }
}

/// The changes from one frame to another.
public struct FrameChanges: Sendable, Hashable {
    /// The cells to move first, in reading order. They do not overlap.
    public fileprivate(set) var moves: [CellMove] = []
    /// The runs to paint then, in reading order. A wide character is contained whole or not at all.
    public fileprivate(set) var runs: [Run] = []

    /// Whether both frames look the same.
    public var isEmpty: Bool { moves.isEmpty && runs.isEmpty }
}

extension [Cell] {
    /// The cells of a row that a terminal shows after moves in it.
    func applying(_ moves: [CellMove]) -> [Cell] {
        var cells = self
        for move in moves {
            let columns = move.columns
            for column in columns.dropLast(move.distance) { cells[column] = cells[column + move.distance] }
            for column in columns.suffix(move.distance) { cells[column] = .blank }
        }
        return cells
    }
}

/// Cells of a row that a terminal moves to the left at once, as in a chart that advances. The cells after them stay.
public struct CellMove: Sendable, Hashable {
    /// The row.
    public let row: Int
    /// The columns that take part: the first ones are overwritten, and the last ones become blanks.
    public let columns: Range<Int>
    /// The distance in columns.
    public let distance: Int
}

/// The search for the moves of one row that save the most bytes.
///
/// A row may contain several charts beside each other, and figures that stay. All of its moves have one distance.
struct CellMoveSearch {
    /// The longest distance that a chart moves between two frames.
    private static let maxShift = 4
    /// The bytes of the code that begins or ends a move, with the movement of the cursor to it: anywhere, or in the row
    /// below another one.
    private static let (cost, alignedCost) = (10, 4)
    /// The bytes of the movement of the cursor to a cell that is painted alone or first.
    private static let cursorMovement = 6

    private let row: Int
    private let cells: [Cell]
    private let old: [Cell]
    /// The moves of the nearest row above that has any.
    private let above: [CellMove]
    /// The columns from the first to the last cell that is painted without a move; empty if there is none.
    private let changed: Range<Int>
    /// The bytes that each cell takes without a move.
    private let present: [Int]

    init(row: Int, cells: [Cell], old: [Cell], above: [CellMove]) {
        self.row = row
        self.cells = cells
        self.old = old
        self.above = above
        let first = cells.indices.first { !cells[$0].looksLike(old[$0]) } ?? 0
        let last = cells.indices.last { !cells[$0].looksLike(old[$0]) } ?? -1
        present = Self.bytes(of: cells, from: first, to: last + 1) { cells[$0].looksLike(old[$0]) }
        changed = first..<max(first, (present.lastIndex { $0 > 0 } ?? -1) + 1)
    }

    /// The moves from left to right; none if they would save nothing, or if terminals may disagree about what they move.
    var moves: [CellMove] {
        guard let distance else { return [] }
        let moves = moves(by: distance)
        guard let first = moves.first?.columns.lowerBound, cells[first...].allSatisfy(\.isMovable),
            old[first...].allSatisfy(\.isMovable)
        else { return [] }
        return moves
    }

    /// The distance that explains the most bytes, or that of the row above if it explains half of them; nil if none can be
    /// worth a move.
    private var distance: Int? {
        let limit = 2 * (above.isEmpty ? Self.cost : Self.alignedCost)
        let painted = present.indices.filter { present[$0] > 0 }
        let sum = painted.reduce(0) { $0 + present[$1] }
        guard sum > limit else { return nil }
        let explained = { (distance: Int) in
            painted.reduce(0) { $0 + (isMoved($1, by: distance) ? present[$1] : 0) }
        }
        if let distance = above.first?.distance, explained(distance) > max(limit, sum / 2) { return distance }
        var best = (distance: 0, bytes: limit)
        for distance in 1...Self.maxShift {
            let bytes = explained(distance)
            if bytes > best.bytes { best = (distance, bytes) }
        }
        return best.distance > 0 ? best.distance : nil
    }

    /// Whether a cell shows what was shown at a distance on its right.
    private func isMoved(_ index: Int, by distance: Int) -> Bool {
        index + distance < cells.count && cells[index].looksLike(old[index + distance])
    }

    /// The best moves by a distance. From left to right, the most bytes that can be saved before each column follow from
    /// those before the start of the last move.
    private func moves(by distance: Int) -> [CellMove] {
        // The unchanged cells on the left of a change belong to its chart if they look the same after the move.
        var first = changed.lowerBound
        while first > 0, isMoved(first - 1, by: distance) { first -= 1 }
        let limit = min(cells.count, changed.upperBound + distance + 1)
        let moved = Self.bytes(of: cells, from: first, to: limit) { isMoved($0, by: distance) }
        // The bytes that are saved before a column if all cells are moved, and if all are left blank.
        var byMoving = [Int](repeating: 0, count: cells.count + 1)
        var byBlanks = byMoving
        for index in first..<limit {
            byMoving[index + 1] = byMoving[index] + present[index] - moved[index]
            byBlanks[index + 1] = byBlanks[index] + present[index] - bytesOnBlank(index)
        }
        var (startCosts, endCosts) = (byMoving.map { _ in Self.cost }, byMoving.map { _ in Self.cost })
        for move in above where move.distance == distance {
            startCosts[move.columns.lowerBound] = Self.alignedCost
            endCosts[move.columns.upperBound] = Self.alignedCost
        }
        var saved = [Int](repeating: 0, count: cells.count + 1)
        var starts = [Int?](repeating: nil, count: cells.count + 1)
        var best: (start: Int, saved: Int)?
        for end in first..<limit + 1 where end > first + distance {
            let start = end - distance - 1
            let before = saved[start] - byMoving[start] - startCosts[start]
            // The leftmost of equal starts is the edge of a chart, and thus the same in all of its rows.
            if best.map({ before > $0.saved }) ?? true { best = (start, before) }
            saved[end] = saved[end - 1]
            guard let best else { continue }
            let sum = best.saved + byMoving[end - distance] + byBlanks[end] - byBlanks[end - distance] - endCosts[end]
            if sum > saved[end] { (saved[end], starts[end]) = (sum, best.start) }
        }
        var moves: [CellMove] = []
        var end = limit
        while end > first {
            if let start = starts[end] {
                moves.append(CellMove(row: row, columns: start..<end, distance: distance))
                end = start
            } else {
                end -= 1
            }
        }
        return moves.reversed()
    }

    /// The bytes that a cell takes if it is blank on the terminal. The cell behind a bar is painted after it.
    private func bytesOnBlank(_ index: Int) -> Int {
        let isOverflown = index > 0 && cells[index - 1].character.overflowsCell
        return cells[index].isInvisible && !isOverflown ? 0 : cells[index].bytes
    }

    /// The bytes that each cell takes: those that are not shown yet, and each one behind a bar that is painted; the first of
    /// adjacent ones with the movement of the cursor. Before the first column there are none, and from `end` on only those
    /// behind a bar.
    private static func bytes(of cells: [Cell], from first: Int, to end: Int, isShown: (Int) -> Bool) -> [Int] {
        var bytes = [Int](repeating: 0, count: cells.count)
        var isOverflown = false
        for index in first..<cells.count where index < end || isOverflown {
            let isPainted = isOverflown || !isShown(index)
            let isFirst = index == 0 || bytes[index - 1] == 0
            bytes[index] = isPainted ? cells[index].bytes + (isFirst ? cursorMovement : 0) : 0
            isOverflown = isPainted && cells[index].character.overflowsCell
        }
        return bytes
    }
}

extension Cell {
    /// The bytes of the character, with the one that separates a bar from the next cell.
    fileprivate var bytes: Int {
        character.utf8.count + (character.overflowsCell ? 1 : 0)
    }

    /// Whether all terminals agree that the cell has one column and can be moved.
    fileprivate var isMovable: Bool {
        guard !isContinuation else { return false }
        let isOne = { character.columnsIfPrintable == 1 && !character.isRightToLeft && !character.hasContestedWidth }
        return character.isPlainlyNarrow || isOne()
    }
}
