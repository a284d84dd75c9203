import Screen

/// A piece of a line in one style.
struct Segment: Sendable, Hashable {
    let text: String
    let style: Style

    init(_ text: String, _ style: Style) {
        self.text = text
        self.style = style
    }
}

extension [Segment] {
    var displayWidth: Int {
        reduce(0) { $0 + $1.text.displayWidth }
    }
}

extension Frame {
    /// Writes the head of a region: its title, and a rule to the edge.
    mutating func writeHead(_ title: String, in area: Area, look: Look) {
        write(" \(title) ", at: Position(column: 0, row: area.row), style: look[.title])
        let start = title.displayWidth + 2
        let rule = String(repeating: look.glyphs.rule, count: max(0, area.columns - start - 1))
        write(rule, at: Position(column: start, row: area.row), style: look[.faint])
    }

    /// Writes at the end of a region's head which of its lines are seen, where that are not all.
    mutating func writePlace(_ seen: Range<Int>, of count: Int, in area: Area, look: Look) {
        let words = " \(seen.lowerBound + 1) to \(seen.upperBound) of \(count) "
        let column = area.columns - 3 - words.displayWidth
        guard column >= 8, !seen.isEmpty else { return }
        write(words, at: Position(column: column, row: area.row), style: look[.text])
    }

    /// Writes segments one after the other, at most `limit` columns; what does not fit ends in an ellipsis.
    ///
    /// - Returns: The columns that were used.
    @discardableResult
    mutating func write(_ segments: [Segment], at position: Position, limit: Int, ellipsis: Character) -> Int {
        var used = 0
        for (index, segment) in segments.enumerated() {
            let left = limit - used
            guard left > 0 else { break }
            // Without room for more than this segment, the segment itself must say that something is missing.
            let isCut = segments[index...].reduce(0) { $0 + $1.text.displayWidth } > left
            let text =
                isCut && segment.text.displayWidth >= left
                ? (segment.text + " ").truncated(toColumns: left, ellipsis: ellipsis) : segment.text
            let place = Position(column: position.column + used, row: position.row)
            used += write(text, at: place, style: segment.style, limit: left)
        }
        return used
    }
}
