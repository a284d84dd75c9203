extension WallLayout {
    /// The position of a cell, by its line and its column in that line.
    struct CellPosition: Sendable, Hashable {
        var line: Int
        var column: Int
    }

    /// Returns the cell position of a target, by its position in the target states.
    func cellPosition(of position: Int) -> CellPosition? {
        for (number, section) in sections.enumerated() {
            guard let found = section.members.firstIndex(of: position) else { continue }
            let index = (found - section.members.startIndex) / targetsPerCell
            return lines.firstIndex { $0.section == number && $0.cells.contains(index) }
                .map { CellPosition(line: $0, column: index - lines[$0].cells.lowerBound) }
        }
        return nil
    }

    /// Returns the targets of a cell.
    func targets(at cell: CellPosition) -> ArraySlice<Int> {
        let line = lines[cell.line]
        return targets(ofCell: line.cells.lowerBound + cell.column, in: line.section)
    }

    /// Returns the cell after a moving action: along the cells, to the line above or below, to the previous or next
    /// group.
    func moved(_ cell: CellPosition, by action: Action) -> CellPosition {
        var cell = cell
        switch action {
        case .fold where cell.column > 0:
            cell.column -= 1
        case .fold where cell.line > 0:
            cell.line -= 1
            cell.column = .max
        case .unfold where cell.column + 1 < lines[cell.line].cells.count:
            cell.column += 1
        case .unfold where cell.line + 1 < lines.count:
            cell = CellPosition(line: cell.line + 1, column: 0)
        case .up:
            cell.line -= 1
        case .down:
            cell.line += 1
        case .pageUp, .pageDown:
            cell = paged(cell, isForward: action == .pageDown)
        case .first:
            cell = CellPosition(line: 0, column: 0)
        case .last:
            cell = CellPosition(line: lines.count - 1, column: .max)
        default:
            break
        }
        cell.line = max(0, min(lines.count - 1, cell.line))
        cell.column = max(0, min(lines[cell.line].cells.count - 1, cell.column))
        return cell
    }

    /// Returns the start of the next group; backwards, of the current group or the previous one. With a single group, a
    /// page is half the wall.
    private func paged(_ cell: CellPosition, isForward: Bool) -> CellPosition {
        guard sections.count > 1 else {
            let half = max(1, lines.count / 2)
            return CellPosition(line: cell.line + (isForward ? half : -half), column: cell.column)
        }
        let starts = lines.indices.filter { lines[$0].cells.lowerBound == 0 }
        if isForward {
            guard let next = starts.first(where: { $0 > cell.line }) else { return moved(cell, by: .last) }
            return CellPosition(line: next, column: 0)
        }
        let previous = starts.last { $0 < cell.line || ($0 == cell.line && cell.column > 0) }
        return CellPosition(line: previous ?? 0, column: 0)
    }
}
