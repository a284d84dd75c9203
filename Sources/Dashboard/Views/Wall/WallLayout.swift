import Monitoring
import Screen

/// The layout of the wall: the targets and the position of each cell.
///
/// A cell is a single target if all targets fit, with group headings above the cells or names beside them. With more
/// targets, a cell represents as many neighbours of a group as necessary.
struct WallLayout {
    /// The position of the group names.
    enum Naming: Sendable, Hashable {
        /// In separate lines above the cells.
        case headings
        /// To the left of the cells, with this width.
        case inline(Int)
        /// Not shown: there are more groups than lines, or no groups.
        case none
    }

    /// A line of cells.
    struct Line: Sendable, Hashable {
        /// The row, counted from the top of the wall.
        let row: Int
        let section: Int
        /// The cells of the section in this line.
        let cells: Range<Int>
    }

    let sections: [WallSection]
    let naming: Naming
    /// The number of targets that a cell represents.
    let targetsPerCell: Int
    let lines: [Line]
    /// The number of columns before the first cell of a line.
    let indent: Int
    /// The number of lines of the wall.
    let height: Int

    /// Creates the layout of sections for a size.
    init(_ sections: [WallSection], columns: Int, rows: Int) {
        let (columns, rows) = (max(1, columns), max(1, rows))
        let hasNames = sections.contains { $0.name != nil }
        let nameWidth = min(16, columns / 4, sections.map { ($0.name ?? "other").displayWidth }.max() ?? 0)
        let namings: [Naming] = !hasNames ? [.none] : nameWidth < 4 ? [.headings] : [.headings, .inline(nameWidth)]

        let total = sections.reduce(0) { $0 + $1.members.count }
        var targetsPerCell = max(1, (total + columns * rows - 1) / (columns * rows))
        // With one cell for each group, the number of lines cannot decrease further.
        let longest = sections.map(\.members.count).max() ?? 0
        while targetsPerCell <= max(1, longest) {
            for naming in namings {
                let layout = WallLayout(sections, naming: naming, targetsPerCell: targetsPerCell, columns: columns)
                if layout.height <= rows {
                    self = layout
                    return
                }
            }
            targetsPerCell += 1
        }
        let all = [WallSection.joined(sections)]
        self.init(
            all,
            naming: .none,
            targetsPerCell: max(1, (total + columns * rows - 1) / (columns * rows)),
            columns: columns
        )
    }

    private init(_ sections: [WallSection], naming: Naming, targetsPerCell: Int, columns: Int) {
        self.sections = sections
        self.naming = naming
        self.targetsPerCell = targetsPerCell
        indent = if case .inline(let width) = naming { width + 1 } else { 0 }
        let perLine = max(1, columns - indent)
        var lines: [Line] = []
        var row = 0
        for (index, section) in sections.enumerated() {
            let cells = (section.members.count + targetsPerCell - 1) / targetsPerCell
            if naming == .headings { row += 1 }
            for start in stride(from: 0, to: cells, by: perLine) {
                lines.append(Line(row: row, section: index, cells: start..<min(cells, start + perLine)))
                row += 1
            }
        }
        self.lines = lines
        height = row
    }

    /// Returns the targets of a cell, by their positions in the target states.
    func targets(ofCell cell: Int, in section: Int) -> ArraySlice<Int> {
        sections[section].members.dropFirst(cell * targetsPerCell).prefix(targetsPerCell)
    }
}

/// A group of the wall, with its targets.
struct WallSection {
    /// The group; nil for targets without one.
    let name: String?
    /// The positions of the targets in the target states.
    let members: ArraySlice<Int>

    /// Returns the sections of an order: one for each group, or a single one without a name if there are no groups.
    static func sections(of order: RowOrder) -> [WallSection] {
        guard order.groups.isEmpty else {
            return order.groups.map { WallSection(name: $0.name, members: order.positions[$0.members]) }
        }
        return order.positions.isEmpty ? [] : [WallSection(name: nil, members: order.positions[...])]
    }

    /// Joins all sections into one, for a wall with fewer lines than groups.
    static func joined(_ sections: [WallSection]) -> WallSection {
        WallSection(name: nil, members: Array(sections.map(\.members).joined())[...])
    }
}
