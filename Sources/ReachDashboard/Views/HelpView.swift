import ReachMonitoring
import ReachScreen

/// Help: the keys and their actions, generated from the key table, and the legend of the symbols.
///
/// ```
/// Help ──────────────────────────────────────────── 1 to 20 of 31 ──
/// Selected target or group ─────────────   Views ───────────────────
/// space     pause or resume                1         show the table:
/// ```
struct HelpView: View {
    private let lines: [[Segment]]
    private let areas: Areas
    private let appearance: Appearance
    private let scroll: Int

    init(model: Model, scroll: Int) {
        (areas, appearance, self.scroll) = (model.areas, model.appearance, scroll)
        lines =
            HelpLayout(appearance: appearance, columns: max(1, areas.size.columns - 2), rows: areas.body.rows - 1).lines
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        frame.writeHeading("Help", in: area, appearance: appearance)
        let visible = lines.dropFirst(scroll).prefix(area.rows - 1)
        frame.writeScroll(visible.indices, of: lines.count, in: area, appearance: appearance)
        frame.write(visible, in: area.belowHeading, ellipsis: appearance.glyphs.ellipsis)
    }

    /// Returns the number of lines of help, and how many of them are visible at a time.
    var extent: (lines: Int, height: Int) { (lines.count, max(1, areas.body.rows - 1)) }
}

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

/// A section of help with keys and their actions.
struct HelpKeys: DetailPart {
    let section: KeySection
    let appearance: Appearance

    var title: String { section.title }

    /// The width of the keys' names.
    private static let nameWidth = 10
    /// The maximum number of lines of a row.
    private static let maximumLines = 8

    func lines(width: Int) -> [[Segment]] {
        section.bindings.flatMap { binding in
            let name = appearance.glyphs.spelled(binding.name)
            let help = appearance.glyphs.spelled(binding.help)
                .wrapped(toColumns: max(1, width - Self.nameWidth), lines: Self.maximumLines)
            return help.enumerated().map { index, line in
                let name = (index == 0 ? name : "").padded(toColumns: Self.nameWidth)
                return [Segment(name, appearance[.title]), Segment(line, appearance[.text])]
            }
        }
    }
}

/// The legend of the symbols and colours.
struct HelpLegend: DetailPart {
    let appearance: Appearance

    let title = "Symbols"

    func lines(width: Int) -> [[Segment]] {
        let glyphs = appearance.glyphs
        let health: [(Character, Role, String)] = [
            (glyphs.up, .up, "up"), (glyphs.degraded, .degraded, "degraded"), (glyphs.down, .down, "down"),
            (glyphs.unknown, .waiting, "unknown"), (glyphs.paused, .waiting, "paused"),
            (glyphs.blocked, .waiting, "blocked"),
        ]
        let others: [(Character, Role, String)] = [
            (glyphs.flapping, .degraded, "flapping"), (glyphs.acknowledged, .accent, "acknowledged"),
            (glyphs.disputed, .degraded, "disputed"), (glyphs.maintenance, .accent, "maintenance"),
            (glyphs.fault, .down, "fault"),
            (glyphs.hook, .accent, "hook armed or running"),
            (glyphs.loss, .down, "all probes lost"), (glyphs.partLosses.last ?? glyphs.loss, .down, "some lost"),
            (glyphs.path, .accent, "path changed"),
            (glyphs.clipped, .degraded, "above the scale"), (glyphs.maximum, .faint, "maximum of several probes"),
            (glyphs.unfolded, .title, "group"), (glyphs.folded, .title, "folded group"),
        ]
        let symbols = [health, others].flatMap { symbols in
            symbols.map { [Segment("\($0) ", appearance[$1]), Segment($2, appearance[.text])] }.flowing(
                width: width,
                gap: 2
            )
        }
        let pending = [
            Segment("up ", appearance[.up]), Segment("2/3", appearance[.degraded]),
            Segment(" two of the three losses until it is down", appearance[.text]),
        ]
        let figures = [Segment("P95, LOSS and JITTER cover the last 100 probes", appearance[.faint])]
        return symbols + [pending, figures]
    }
}
