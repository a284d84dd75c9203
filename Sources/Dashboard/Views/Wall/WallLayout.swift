import Monitoring
import Screen

/// The layout of the wall: the targets, the form and the position of each cell.
///
/// Few targets are tiles, more are names, and many are dots. A dot is a single target if all targets fit, with group
/// headings above the dots or names beside them. With more targets, it represents as many neighbours of a group as
/// necessary.
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
        /// The first row, counted from the top of the wall.
        let row: Int
        let section: Int
        /// The cells of the section in this line.
        let cells: Range<Int>
    }

    let sections: [WallSection]
    let form: WallForm
    let naming: Naming
    /// The number of targets that a cell represents.
    let targetsPerCell: Int
    let lines: [Line]
    /// The number of columns before the first cell of a line.
    let indent: Int
    /// The number of lines of the wall.
    let height: Int

    /// Whether each target has a cell, below the heading of its group.
    var isComplete: Bool { targetsPerCell == 1 && indent == 0 && !isJoined }
    /// Whether all groups are one section, since there are more of them than rows.
    private let isJoined: Bool

    /// Creates the layout of sections for a size.
    ///
    /// - Parameter nameWidth: The width of the longest name of a target.
    init(_ sections: [WallSection], nameWidth: Int, columns: Int, rows: Int) {
        let (columns, rows) = (max(1, columns), max(1, rows))
        let hasNames = sections.contains { $0.name != nil }
        if let form = WallForm.tiles(for: sections, columns: columns, rows: rows)
            ?? WallForm.names(for: sections, nameWidth: nameWidth, columns: columns, rows: rows)
        {
            let naming: Naming = hasNames ? .headings : .none
            self.init(sections, form: form, naming: naming, targetsPerCell: 1, columns: columns)
            return
        }
        let groupWidth = min(16, columns / 4, sections.map { ($0.name ?? "other").displayWidth }.max() ?? 0)
        let namings: [Naming] = !hasNames ? [.none] : groupWidth < 4 ? [.headings] : [.headings, .inline(groupWidth)]

        let total = sections.reduce(0) { $0 + $1.members.count }
        var targetsPerCell = max(1, (total + columns * rows - 1) / (columns * rows))
        // With one cell for each group, the number of lines cannot decrease further.
        let longest = sections.map(\.members.count).max() ?? 0
        while targetsPerCell <= max(1, longest) {
            for naming in namings {
                for width in targetsPerCell == 1 ? [2, 1] : [1] {
                    let layout = WallLayout(
                        sections,
                        form: .dots(width: width),
                        naming: naming,
                        targetsPerCell: targetsPerCell,
                        columns: columns
                    )
                    if layout.height <= rows {
                        self = layout
                        return
                    }
                }
            }
            targetsPerCell += 1
        }
        let all = [WallSection.joined(sections)]
        targetsPerCell = max(1, (total + columns * rows - 1) / (columns * rows))
        self.init(
            all,
            form: .dots(width: total <= columns / 2 * rows ? 2 : 1),
            naming: .none,
            targetsPerCell: targetsPerCell,
            columns: columns,
            isJoined: true
        )
    }

    private init(
        _ sections: [WallSection],
        form: WallForm,
        naming: Naming,
        targetsPerCell: Int,
        columns: Int,
        isJoined: Bool = false
    ) {
        self.sections = sections
        self.form = form
        self.naming = naming
        self.targetsPerCell = targetsPerCell
        self.isJoined = isJoined
        indent = if case .inline(let width) = naming { width + 1 } else { 0 }
        let perLine = max(1, (columns - indent) / form.cellWidth)
        var lines: [Line] = []
        var row = 0
        for (index, section) in sections.enumerated() {
            let cells = (section.members.count + targetsPerCell - 1) / targetsPerCell
            if naming == .headings { row += 1 }
            for start in stride(from: 0, to: cells, by: perLine) {
                lines.append(Line(row: row, section: index, cells: start..<min(cells, start + perLine)))
                row += form.cellHeight
            }
        }
        self.lines = lines
        height = row
    }

    /// Returns the area of a cell on the screen, in the area of the wall.
    func area(ofCell column: Int, in line: Line, of area: Area) -> Area {
        // The selection mark of a tile or name is left of the dots' first column.
        let start = form.isDots ? 1 + indent : 0
        return Area(
            row: area.row + line.row,
            column: area.column + start + column * form.cellWidth,
            rows: form.cellHeight,
            columns: form.cellWidth
        )
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
