extension Frame {
    /// The longest distance that a chart moves between two frames.
    private static let longestShift = 4
    /// How many cells a shift must save: a cell takes three bytes, a shift twenty.
    private static let worthOfShift = 9

    /// The shifts to perform on a terminal that shows `old`, before ``changes(from:)`` are painted.
    ///
    /// - Returns: At most one shift for each row; none if the sizes differ.
    public func shifts(from old: Frame) -> [Shift] {
        guard old.size == size else { return [] }
        return (0..<size.rows).compactMap { shift(row: $0, from: old) }
    }

    /// The frame that a terminal shows after the shifts.
    public func applying(_ shifts: [Shift]) -> Frame {
        var frame = self
        for shift in shifts {
            let (row, columns) = (shift.row, shift.columns)
            for column in columns.dropLast(shift.distance) {
                frame.lines[row][column] = frame.lines[row][column + shift.distance]
            }
            for column in columns.suffix(shift.distance) { frame.lines[row][column] = .blank }
        }
        return frame
    }

    private func shift(row: Int, from old: Frame) -> Shift? {
        let (cells, oldCells) = (lines[row], old.lines[row])
        guard cells != oldCells else { return nil }
        // From the first to the last changed cell of a chart, and the bars behind that, which are painted with it.
        let isChanged = { (index: Int) in
            cells[index].character.utf8.count == 3 && cells[index] != oldCells[index]
        }
        guard let first = cells.indices.first(where: isChanged), var last = cells.indices.last(where: isChanged)
        else { return nil }
        while cells[last].character.overflowsCell, last + 1 < cells.count, cells[last + 1].character.overflowsCell {
            last += 1
        }
        guard last - first >= Self.worthOfShift else { return nil }
        let present = Self.paintedCells(cells[first...last]) { cells[$0] == oldCells[$0] }
        var best = (distance: 0, gain: Self.worthOfShift - 1)
        for distance in 1...Self.longestShift {
            let moved = Self.paintedCells(cells[first...last]) { index in
                index + distance <= last && cells[index] == oldCells[index + distance]
            }
            let gain = present - moved
            if gain > best.gain { best = (distance, gain) }
        }
        guard best.distance > 0, cells[first...].allSatisfy(\.isMovable), oldCells[first...].allSatisfy(\.isMovable)
        else { return nil }
        return Shift(row: row, columns: first..<last + 1, distance: best.distance)
    }

    /// The number of cells to paint: those that differ from the terminal's, and each one behind a bar that is painted.
    private static func paintedCells(_ cells: ArraySlice<Cell>, isShown: (Int) -> Bool) -> Int {
        var count = 0
        var isOverflown = false
        for index in cells.indices {
            let isPainted = isOverflown || !isShown(index)
            isOverflown = isPainted && cells[index].character.overflowsCell
            count += isPainted ? 1 : 0
        }
        return count
    }
}

extension Cell {
    /// Whether all terminals agree that the cell has one column and can be moved.
    fileprivate var isMovable: Bool {
        !isContinuation && (character.isPlainlyNarrow || !character.hasContestedWidth)
            && character.columnsIfPrintable == 1 && !character.isRightToLeft
    }
}

/// Cells of a row that a terminal moves to the left at once, as in a chart that advances. The cells after them stay.
public struct Shift: Sendable, Hashable {
    /// The row.
    public let row: Int
    /// The columns that take part: the first ones are overwritten, and the last ones become blanks.
    public let columns: Range<Int>
    /// The distance in columns.
    public let distance: Int
}
