import Screen

/// The form of the wall's cells. It depends only on the numbers of targets and groups, the names in the settings and the
/// size, so that it does not change while figures do.
enum WallForm: Sendable, Hashable {
    /// The name, the figure and the chart of a target, this wide and high with the gaps between tiles.
    case tiles(width: Int, height: Int)
    /// The name of a target in this many columns, with or without its figure, in cells of this width.
    case names(width: Int, hasFigures: Bool, cell: Int)
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
        case .names(_, _, let cell): cell
        case .dots(let width): width
        }
    }

    var isDots: Bool {
        if case .dots = self { true } else { false }
    }

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
            let room = rows - headings(of: sections)
            // Name, figure and one row of chart, with a blank line below if there is room.
            guard lines > 0, lines * 3 <= room else { return nil }
            let height = max(3, min(room / lines, 3 + max(1, (width - frame) / 3)))
            return (.tiles(width: width, height: height), (width - frame) * max(1, height - 3))
        }
        return forms.max { $0.chart < $1.chart }?.form
    }

    /// Returns the names that fit: with figures if possible, and in as many columns as there are, up to the longest name.
    static func names(for sections: [WallSection], nameWidth: Int, columns: Int, rows: Int) -> WallForm? {
        let longest = max(4, min(nameWidth, 24))
        let shortest = min(longest, 8)
        let total = sections.reduce(0) { $0 + $1.members.count }
        guard total <= columns / (shortest + frame) * rows else { return nil }
        let widths = (shortest...longest).reversed()
        let wanted =
            widths.filter { $0 >= min(longest, 12) }.map { (width: $0, hasFigures: true) }
            + widths.map { (width: $0, hasFigures: false) }
        for (width, hasFigures) in wanted {
            let needed = width + frame + (hasFigures ? figure : 0)
            let perLine = columns / needed
            guard perLine > 0 else { continue }
            let lines = sections.reduce(0) { $0 + ($1.members.count + perLine - 1) / perLine }
            guard lines + headings(of: sections) <= rows else { continue }
            // The cells spread over the width, but a few names do not drift apart.
            return .names(width: width, hasFigures: hasFigures, cell: min(columns / perLine, needed + 6))
        }
        return nil
    }

    private static func headings(of sections: [WallSection]) -> Int {
        sections.contains { $0.name != nil } ? sections.count : 0
    }
}
