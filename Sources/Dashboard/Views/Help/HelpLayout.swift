import Screen

/// The layout of help: its sections in as many columns as fit.
struct HelpLayout {
    /// The minimum width of a column, in which most descriptions take one or two lines.
    private static let minimumWidth = 54
    private static let gutter = 3

    /// The lines, across all columns.
    let lines: [[Segment]]

    /// Creates the layout for a size. If it has too few rows, the blank lines between sections are omitted before help
    /// scrolls.
    init(appearance: Appearance, columns: Int, rows: Int) {
        let count = max(1, (columns + Self.gutter) / (Self.minimumWidth + Self.gutter))
        let width = max(1, (columns - (count - 1) * Self.gutter) / count)
        let parts: [any DetailPart] =
            KeyTable.sections.map { HelpKeys(section: $0, appearance: appearance) } + [
                HelpLegend(appearance: appearance)
            ]
        let blocks = parts.map { $0.block(width: width, appearance: appearance) }
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

    /// Distributes whole blocks over columns, in their order, so that the highest column is as low as possible.
    private static func columns(of blocks: [[[Segment]]], count: Int) -> [[[Segment]]] {
        let longest = blocks.map(\.count).max() ?? 0
        let all = blocks.reduce(0) { $0 + $1.count }
        for height in longest...max(longest, all) {
            var columns: [[[Segment]]] = [[]]
            for block in blocks {
                if columns[columns.count - 1].count + block.count > height { columns.append([]) }
                columns[columns.count - 1] += block
            }
            // The blank line after the last block of a column is not needed.
            if columns.count <= count { return columns.map { $0.last?.isEmpty == true ? $0.dropLast() : $0 } }
        }
        return [blocks.flatMap(\.self)]
    }
}
