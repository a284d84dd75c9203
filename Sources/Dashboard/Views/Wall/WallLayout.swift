import Monitoring
import Screen

/// Which cell of the wall stands for which targets, and where.
///
/// A cell is one target as long as all of them have room, groups below heads or else beside their names; with more
/// targets, it stands for so many neighbours of a group as it takes.
struct WallLayout {
    /// Where the names of the groups stand.
    enum Naming: Sendable, Hashable {
        /// In lines of their own.
        case heads
        /// To the left of the cells, in so many columns.
        case inline(Int)
        /// Nowhere: there are more groups than lines, or none.
        case none
    }

    /// A line of cells.
    struct Line: Sendable, Hashable {
        /// Counted from the top of the wall.
        let row: Int
        let section: Int
        /// Which cells of the section.
        let cells: Range<Int>
    }

    let sections: [WallSection]
    let naming: Naming
    /// How many targets a cell stands for.
    let share: Int
    let lines: [Line]
    /// The columns before the first cell of a line.
    let indent: Int
    /// How many lines the wall takes.
    let height: Int

    /// The layout of sections on a wall of so many columns and rows.
    init(_ sections: [WallSection], columns: Int, rows: Int) {
        let (columns, rows) = (max(1, columns), max(1, rows))
        let hasNames = sections.contains { $0.name != nil }
        let nameWidth = min(16, columns / 4, sections.map { ($0.name ?? "other").displayWidth }.max() ?? 0)
        let namings: [Naming] = !hasNames ? [.none] : nameWidth < 4 ? [.heads] : [.heads, .inline(nameWidth)]

        let total = sections.reduce(0) { $0 + $1.members.count }
        var share = max(1, (total + columns * rows - 1) / (columns * rows))
        // With a cell for each group, the lines cannot become fewer.
        let longest = sections.map(\.members.count).max() ?? 0
        while share <= max(1, longest) {
            for naming in namings {
                let layout = WallLayout(sections, naming: naming, share: share, columns: columns)
                if layout.height <= rows {
                    self = layout
                    return
                }
            }
            share += 1
        }
        let all = [WallSection.joined(sections)]
        self.init(all, naming: .none, share: max(1, (total + columns * rows - 1) / (columns * rows)), columns: columns)
    }

    private init(_ sections: [WallSection], naming: Naming, share: Int, columns: Int) {
        self.sections = sections
        self.naming = naming
        self.share = share
        indent = if case .inline(let width) = naming { width + 1 } else { 0 }
        let perLine = max(1, columns - indent)
        var lines: [Line] = []
        var row = 0
        for (index, section) in sections.enumerated() {
            let cells = (section.members.count + share - 1) / share
            if naming == .heads { row += 1 }
            for start in stride(from: 0, to: cells, by: perLine) {
                lines.append(Line(row: row, section: index, cells: start..<min(cells, start + perLine)))
                row += 1
            }
        }
        self.lines = lines
        height = row
    }

    /// The targets that a cell stands for, by their places among the standings.
    func targets(ofCell cell: Int, in section: Int) -> ArraySlice<Int> {
        sections[section].members.dropFirst(cell * share).prefix(share)
    }
}
