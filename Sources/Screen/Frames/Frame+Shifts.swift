extension Frame {
    /// The shifts to perform on a terminal that shows `old`, before ``changes(from:)`` are painted.
    ///
    /// - Returns: The shifts in reading order, which do not overlap; none if the sizes differ.
    public func shifts(from old: Frame) -> [Shift] {
        guard old.size == size else { return [] }
        var shifts: [Shift] = []
        var above: [Shift] = []
        for row in 0..<size.rows where lines[row] != old.lines[row] {
            let found = ShiftSearch(row: row, cells: lines[row], old: old.lines[row], above: above).shifts
            if !found.isEmpty { above = found }
            shifts += found
        }
        return shifts
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
