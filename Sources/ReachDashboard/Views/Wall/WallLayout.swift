import ReachMonitoring
import ReachScreen

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
        /// The height of the cells.
        let height: Int
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
    /// - Parameters:
    ///   - nameWidth: the width of the longest name of a target.
    ///   - form: the form, if it fits; nil for the most detailed one that does.
    init(_ sections: [WallSection], nameWidth: Int, form: WallForm.Kind? = nil, columns: Int, rows: Int) {
        let (columns, rows) = (max(1, columns), max(1, rows))
        let hasNames = sections.contains { $0.name != nil }
        let tiles =
            form == nil || form == .tiles ? WallForm.tiles(for: sections, columns: columns, rows: rows) : nil
        let names =
            form == .dots ? nil : WallForm.names(for: sections, nameWidth: nameWidth, columns: columns, rows: rows)
        if let form = tiles ?? names {
            let naming: Naming = hasNames ? .headings : .none
            self.init(sections, form: form, naming: naming, targetsPerCell: 1, columns: columns, rows: rows)
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
        rows: Int = 0,
        isJoined: Bool = false
    ) {
        self.sections = sections
        self.form = form
        self.naming = naming
        self.targetsPerCell = targetsPerCell
        self.isJoined = isJoined
        indent = if case .inline(let width) = naming { width + 1 } else { 0 }
        let perLine = max(1, (columns - indent) / form.cellWidth)
        let counts = sections.map { ($0.members.count + targetsPerCell - 1) / targetsPerCell }
        let lineCount = counts.reduce(0) { $0 + ($1 + perLine - 1) / perLine }
        let headings = naming == .headings ? sections.count : 0
        // The first lines of tiles have a row more, so that none is left.
        let spare = form.kind == .tiles ? rows - headings - lineCount * form.cellHeight : 0
        var lines: [Line] = []
        var row = 0
        for (index, cells) in counts.enumerated() {
            if naming == .headings { row += 1 }
            for start in stride(from: 0, to: cells, by: perLine) {
                let height = form.cellHeight + (lines.count < spare ? 1 : 0)
                let range = start..<min(cells, start + perLine)
                lines.append(Line(row: row, section: index, cells: range, height: height))
                row += height
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
            rows: line.height,
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

/// The form of the wall's cells. It depends only on the user's choice, the numbers of targets and groups, the names in the
/// settings and the size, so that it does not change while figures do.
enum WallForm: Sendable, Hashable {
    /// The kinds of forms, the most detailed first.
    enum Kind: String, Sendable, Hashable, CaseIterable {
        case tiles, names, dots
    }

    /// The name, the figure and the chart of a target, this wide and high with the gaps between tiles.
    case tiles(width: Int, height: Int)
    /// The name of a target in this many columns, with or without its figure and a bar of so many columns, in cells of this
    /// width.
    case names(width: Int, hasFigures: Bool, bar: Int, cell: Int)
    /// One character for one or more targets; if there is room, a blank follows, so that a dot is a square.
    case dots(width: Int)

    /// The columns of a tile or name besides its text: the selection mark, the glyph, a blank, and the gap to the next.
    static let frame = 4
    /// The columns of a figure beside a name, with the blank before it.
    static let figure = 7

    /// The columns of a cell.
    var cellWidth: Int {
        switch self {
        case .tiles(let width, _): width
        case .names(_, _, _, let cell): cell
        case .dots(let width): width
        }
    }

    var kind: Kind {
        switch self {
        case .tiles: .tiles
        case .names: .names
        case .dots: .dots
        }
    }

    var isDots: Bool { kind == .dots }

    /// The rows of a cell.
    var cellHeight: Int {
        if case .tiles(_, let height) = self { height } else { 1 }
    }

    /// Returns the tiles that fit: of those, the ones with the largest charts.
    static func tiles(for sections: [WallSection], columns: Int, rows: Int) -> WallForm? {
        let narrowest = 19
        let limit = columns / narrowest
        let total = sections.reduce(0) { $0 + $1.members.count }
        // A line of few targets fills the width.
        let widest = max(64, columns / max(1, sections.map(\.members.count).max() ?? 1))
        // The quick answer for many targets.
        guard limit > 0, total * 3 <= limit * rows else { return nil }
        let forms = (1...limit).compactMap { perLine -> (form: WallForm, chart: Int)? in
            let width = min(columns / perLine, widest)
            let lines = sections.reduce(0) { $0 + ($1.members.count + perLine - 1) / perLine }
            let availableRows = rows - headings(of: sections)
            // Name, figure and one row of chart, with a blank line below if there is room.
            guard lines > 0, lines * 3 <= availableRows else { return nil }
            let height = max(3, availableRows / lines)
            // What is higher than a third of the width shows no more.
            let useful = min(max(1, height - 3), max(1, (width - frame) / 3))
            return (.tiles(width: width, height: height), (width - frame) * useful)
        }
        return forms.max { $0.chart < $1.chart }?.form
    }

    /// Returns the names that fit: with figures and bars if possible, and in as many columns as there are, up to the longest name.
    static func names(for sections: [WallSection], nameWidth: Int, columns: Int, rows: Int) -> WallForm? {
        let longest = max(4, min(nameWidth, 24))
        let shortest = min(longest, 8)
        let total = sections.reduce(0) { $0 + $1.members.count }
        guard total <= columns / (shortest + frame) * rows else { return nil }
        let widths = (shortest...longest).reversed()
        // A bar is beside whole names only.
        let wanted =
            bars.reversed().map { (width: longest, hasFigures: true, bar: $0) }
            + widths.filter { $0 >= min(longest, 12) }.map { (width: $0, hasFigures: true, bar: 0) }
            + widths.map { (width: $0, hasFigures: false, bar: 0) }
        for (width, hasFigures, bar) in wanted {
            let needed = width + frame + (hasFigures ? figure : 0) + (bar > 0 ? bar + 1 : 0)
            let perLine = columns / needed
            guard perLine > 0 else { continue }
            let lines = sections.reduce(0) { $0 + ($1.members.count + perLine - 1) / perLine }
            guard lines + headings(of: sections) <= rows else { continue }
            // The cells spread over the width, but a few names do not drift apart.
            return .names(
                width: width,
                hasFigures: hasFigures,
                bar: bar,
                cell: min(columns / perLine, needed + 6)
            )
        }
        return nil
    }

    /// The columns of a bar.
    private static let bars = 4...12

    private static func headings(of sections: [WallSection]) -> Int {
        sections.contains { $0.name != nil } ? sections.count : 0
    }
}
