extension WallLayout {
    /// A cell, by its line and its place in that.
    struct Place: Sendable, Hashable {
        var line: Int
        var column: Int
    }

    /// Where the cell of the target at a position is.
    func place(of position: Int) -> Place? {
        for (index, section) in sections.enumerated() {
            guard let found = section.members.firstIndex(of: position) else { continue }
            let cell = (found - section.members.startIndex) / share
            return lines.firstIndex { $0.section == index && $0.cells.contains(cell) }
                .map { Place(line: $0, column: cell - lines[$0].cells.lowerBound) }
        }
        return nil
    }

    /// The targets that the cell at a place stands for.
    func targets(at place: Place) -> ArraySlice<Int> {
        let line = lines[place.line]
        return targets(ofCell: line.cells.lowerBound + place.column, in: line.section)
    }

    /// Where an action that moves leads: along the cells, to the line above or below, to the group before or after.
    func moved(_ place: Place, by action: Action) -> Place {
        var place = place
        switch action {
        case .fold where place.column > 0:
            place.column -= 1
        case .fold where place.line > 0:
            place.line -= 1
            place.column = .max
        case .unfold where place.column + 1 < lines[place.line].cells.count:
            place.column += 1
        case .unfold where place.line + 1 < lines.count:
            place = Place(line: place.line + 1, column: 0)
        case .up:
            place.line -= 1
        case .down:
            place.line += 1
        case .pageUp, .pageDown:
            place = paged(place, isForward: action == .pageDown)
        case .first:
            place = Place(line: 0, column: 0)
        case .last:
            place = Place(line: lines.count - 1, column: .max)
        default:
            break
        }
        place.line = max(0, min(lines.count - 1, place.line))
        place.column = max(0, min(lines[place.line].cells.count - 1, place.column))
        return place
    }

    /// The beginning of the next group, or of this one and then the one before; half the wall where there is one group.
    private func paged(_ place: Place, isForward: Bool) -> Place {
        guard sections.count > 1 else {
            let half = max(1, lines.count / 2)
            return Place(line: place.line + (isForward ? half : -half), column: place.column)
        }
        let starts = lines.indices.filter { lines[$0].cells.lowerBound == 0 }
        if isForward {
            guard let next = starts.first(where: { $0 > place.line }) else { return moved(place, by: .last) }
            return Place(line: next, column: 0)
        }
        let before = starts.last { $0 < place.line || ($0 == place.line && place.column > 0) }
        return Place(line: before ?? 0, column: 0)
    }
}
