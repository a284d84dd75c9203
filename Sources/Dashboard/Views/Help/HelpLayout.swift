import Screen

/// The sections of help, in as many columns as fit beside each other.
struct HelpLayout {
    /// The least width of a column: what the keys do is then said in a line or two.
    private static let leastWidth = 54
    private static let gutter = 3

    /// The lines, as wide as the screen.
    let lines: [[Segment]]

    /// The layout in so many columns. Where the rows do not do, the sections move together before they are scrolled.
    init(look: Look, columns: Int, rows: Int) {
        let count = max(1, (columns + Self.gutter) / (Self.leastWidth + Self.gutter))
        let width = max(1, (columns - (count - 1) * Self.gutter) / count)
        let parts: [any DetailPart] =
            KeyTable.sections.map { HelpKeys(section: $0, look: look) } + [HelpLegend(look: look)]
        let blocks = parts.map { $0.block(width: width, look: look) }
        let loose = Self.columns(of: blocks, count: count)
        let isLoose = (loose.map(\.count).max() ?? 0) <= rows
        let stacks = isLoose ? loose : Self.columns(of: blocks.map { $0.dropLast() }, count: count)
        lines = (0..<(stacks.map(\.count).max() ?? 0)).map { index in
            stacks.enumerated().reduce(into: []) { line, stack in
                guard index < stack.element.count, !stack.element[index].isEmpty else { return }
                let missing = stack.offset * (width + Self.gutter) - line.displayWidth
                line += [Segment(String(repeating: " ", count: max(0, missing)), .plain)] + stack.element[index]
            }
        }
    }

    /// Puts whole blocks below each other, in columns that are as low as their order allows.
    private static func columns(of blocks: [[[Segment]]], count: Int) -> [[[Segment]]] {
        let longest = blocks.map(\.count).max() ?? 0
        let all = blocks.reduce(0) { $0 + $1.count }
        for height in longest...max(longest, all) {
            var columns: [[[Segment]]] = [[]]
            for block in blocks {
                if columns[columns.count - 1].count + block.count > height { columns.append([]) }
                columns[columns.count - 1] += block
            }
            // The blank line below the last block of a column parts it from nothing.
            if columns.count <= count { return columns.map { $0.last?.isEmpty == true ? $0.dropLast() : $0 } }
        }
        return [blocks.flatMap(\.self)]
    }
}
