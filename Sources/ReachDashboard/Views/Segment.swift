import ReachMonitoring
import ReachScreen

/// A part of a line in a single style.
struct Segment: Sendable, Hashable {
    let text: String
    let style: Style
    /// The effect of a click on the segment; nil for none.
    var link: Link?

    /// The effect of a click.
    enum Link: Sendable, Hashable {
        /// The same as pressing this key.
        case key(Key)
        /// Filters the targets; clears the filter if it is that one already.
        case filter(String)
    }

    init(_ text: String, _ style: Style, link: Link? = nil) {
        self.text = text
        self.style = style
        self.link = link
    }
}

extension String {
    /// The text, shortened in the middle: names of machines often differ only at their ends.
    func shortened(toColumns columns: Int, ellipsis: Character) -> String {
        guard displayWidth > columns, columns >= 5 else { return truncated(toColumns: columns, ellipsis: ellipsis) }
        let end = suffix(toColumns: columns / 2)
        return (self + " ").truncated(toColumns: columns - end.displayWidth, ellipsis: ellipsis) + end
    }
}

extension [Segment] {
    /// The link at a column of the line.
    func link(atColumn column: Int) -> Segment.Link? {
        guard column >= 0 else { return nil }
        var end = 0
        return first { segment in
            end += segment.text.displayWidth
            return column < end
        }?.link
    }

    var displayWidth: Int {
        reduce(0) { $0 + $1.text.displayWidth }
    }
}

extension Frame {
    /// Writes the heading of a region: its title, and a rule to the edge.
    mutating func writeHeading(_ title: String, in area: Area, appearance: Appearance) {
        write(" \(title) ", at: Position(column: 0, row: area.row), style: appearance[.title])
        let start = title.displayWidth + 2
        let rule = String(repeating: appearance.glyphs.rule, count: max(0, area.columns - start - 1))
        write(rule, at: Position(column: start, row: area.row), style: appearance[.faint])
    }

    /// Writes lines one below the other, with a blank at both edges of an area. Lines below the area are left out.
    mutating func write(_ lines: some Sequence<[Segment]>, in area: Area, ellipsis: Character) {
        for (index, line) in lines.prefix(max(0, area.rows)).enumerated() {
            let position = Position(column: area.column + 1, row: area.row + index)
            write(line, at: position, limit: area.columns - 2, ellipsis: ellipsis)
        }
    }

    /// Writes the mark of the selected row.
    mutating func writeSelectionMark(row: Int, _ appearance: Appearance) {
        write(String(appearance.glyphs.selection), at: Position(column: 0, row: row), style: appearance[.text])
    }

    /// Writes the range of visible lines or targets at the end of a region's heading.
    mutating func writeRange(_ visible: Range<Int>, of count: Int, in area: Area, appearance: Appearance) {
        let text = " \(visible.lowerBound + 1)–\(visible.upperBound) of \(count) "
        let column = area.columns - 3 - text.displayWidth
        guard column >= 8, !visible.isEmpty else { return }
        write(text, at: Position(column: column, row: area.row), style: appearance[.text])
    }

    /// Writes the range of visible lines at the end of a region's heading and marks the hidden ones, if there are any.
    mutating func writeScroll(_ visible: Range<Int>, of count: Int, in area: Area, appearance: Appearance) {
        guard visible.count < count else { return }
        writeRange(visible, of: count, in: area, appearance: appearance)
        writeScrollMarks(visible, of: count, in: area.belowHeading, appearance)
    }

    /// Marks hidden lines above and below a region at its right edge.
    mutating func writeScrollMarks(_ visible: Range<Int>, of count: Int, in area: Area, _ appearance: Appearance) {
        guard !area.isEmpty else { return }
        let column = area.column + area.columns - 1
        if visible.lowerBound > 0 {
            let mark = String(appearance.glyphs.ascending)
            write(mark, at: Position(column: column, row: area.row), style: appearance[.accent])
        }
        if visible.upperBound < count {
            let mark = String(appearance.glyphs.descending)
            write(mark, at: Position(column: column, row: area.row + area.rows - 1), style: appearance[.accent])
        }
    }

    /// Writes segments one after the other, truncated to `limit` columns with an ellipsis.
    ///
    /// - Returns: The number of columns written.
    @discardableResult
    mutating func write(_ segments: [Segment], at position: Position, limit: Int, ellipsis: Character) -> Int {
        let widths = segments.map(\.text.displayWidth)
        // If nothing fits after a segment, the segment itself ends in the ellipsis.
        let isCut = widths.reduce(0, +) > limit
        var used = 0
        for (segment, width) in zip(segments, widths) {
            let left = limit - used
            guard left > 0 else { break }
            let text =
                isCut && width >= left
                ? (segment.text + " ").truncated(toColumns: left, ellipsis: ellipsis) : segment.text
            let start = Position(column: position.column + used, row: position.row)
            used += write(text, at: start, style: segment.style, limit: left)
        }
        return used
    }
}
