extension Frame {
    /// How far a chart moves at most from one frame to the next.
    private static let longestShift = 4
    /// So many cells have to be right by a shift that would be painted otherwise: they take three bytes each, it twenty.
    private static let worthOfShift = 9

    /// What to move on a terminal that shows `old`, before ``changes(from:)`` are painted.
    ///
    /// - Returns: At most one shift a row; none where the frames have different sizes.
    public func shifts(from old: Frame) -> [Shift] {
        guard old.size == size else { return [] }
        return (0..<size.rows).compactMap { shift(row: $0, from: old) }
    }

    /// The frame that a terminal shows after shifts.
    public func applying(_ shifts: [Shift]) -> Frame {
        var frame = self
        for shift in shifts {
            let start = shift.row * size.columns
            let (first, end) = (start + shift.columns.lowerBound, start + shift.columns.upperBound)
            for index in first..<end - shift.distance { frame.cells[index] = frame.cells[index + shift.distance] }
            for index in end - shift.distance..<end { frame.cells[index] = .blank }
        }
        return frame
    }

    private func shift(row: Int, from old: Frame) -> Shift? {
        let start = row * size.columns
        let line = start..<start + size.columns
        // From the first to the last part of a picture that has changed.
        let isChanged = { (index: Int) in
            cells[index].character.utf8.count == 3 && cells[index] != old.cells[index]
        }
        guard let first = line.first(where: isChanged), let last = line.last(where: isChanged),
            last - first >= Self.worthOfShift
        else { return nil }
        var best = (distance: 0, gain: Self.worthOfShift - 1)
        for distance in 1...Self.longestShift {
            var gain = 0
            for index in first...last {
                let comes = index + distance <= last && cells[index] == old.cells[index + distance]
                let stays = cells[index] == old.cells[index]
                gain += (comes ? 1 : 0) - (stays ? 1 : 0)
            }
            if gain > best.gain { best = (distance, gain) }
        }
        guard best.distance > 0, (first..<line.upperBound).allSatisfy({ isMovable($0) && old.isMovable($0) })
        else { return nil }
        return Shift(row: row, columns: first - start..<last + 1 - start, distance: best.distance)
    }

    /// Whether every terminal takes a cell for one column that it can move.
    private func isMovable(_ index: Int) -> Bool {
        let cell = cells[index]
        return !cell.isContinuation && (cell.character.isPlainlyNarrow || !cell.character.hasContestedWidth)
            && cell.character.columnsIfPrintable == 1 && !cell.character.isRightToLeft
    }
}
