import Monitoring
import Screen

/// A cell for each target, thousands on a screen, and what there is to say of the one at the cursor.
///
/// ```
/// each cell is 2 targets: the worst               ▪ under 10ms  ▪ 50ms  ■ 200ms  ■ over
/// Hall A ───────────────────────────────────────────────────────────── 419/420 up ──
/// ▪▪▪▪▪▪▪■▪▪▪▪▪▪▪▪▪▪▪○▪▪▪▪▪▪▪▪▪▪▪▪▪‖▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪
///
/// ○ ap-c-221  icmp 10.3.2.21  down no answer   last –   loss 31%   for 4m11s
/// ```
struct WallView: View {
    let model: Model
    /// Whether the newest events have room below.
    let hasEvents: Bool
    let layout: WallLayout
    /// Where the cells are, and below them what there is to say of the selected target.
    let area: Area

    init(model: Model) {
        self.model = model
        let areas = model.areas
        let sections = WallSection.sections(of: model.list.order)
        // A line for the target at the cursor; none in the lowest terminals.
        let legend = { (area: Area) in area.rows < 2 ? 0 : area.rows < 6 ? 1 : 2 }
        let small = areas.list
        var whole = small
        whole.rows = max(0, areas.footer.row - small.row)
        let fitting = WallLayout(sections, columns: small.columns - 2, rows: small.rows - legend(small))
        hasEvents =
            areas.events.rows > 0 && fitting.share == 1 && fitting.indent == 0
            && fitting.sections.count == sections.count
        area = hasEvents ? small : whole
        layout =
            hasEvents ? fitting : WallLayout(sections, columns: whole.columns - 2, rows: whole.rows - legend(whole))
    }

    /// The cell that stands at a place of the screen.
    func cell(at position: Position) -> WallCell? {
        let column = position.column - 1 - layout.indent
        guard let line = layout.lines.first(where: { area.row + $0.row == position.row }),
            (0..<line.cells.count).contains(column)
        else { return nil }
        let targets = layout.targets(ofCell: line.cells.lowerBound + column, in: line.section)
        return WallCell(targets, of: model.roster.standings.glances)
    }

    func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, !layout.lines.isEmpty else { return }
        let look = model.look
        var words =
            layout.share == 1 ? "each cell is a target" : "each cell is \(layout.share) targets: the worst"
        if model.list.sort != .settings { words += ", by \(model.list.sort.name)" }
        if model.list.isReversed { words += ", reversed" }
        let room = area.columns - 2
        frame.write(
            [Segment(words, look[.faint])],
            at: Position(column: 1, row: area.row),
            limit: room,
            ellipsis: look.glyphs.ellipsis
        )
        let bounds = WallCell.levels.map { "<\($0.roundTripText)" } + ["slower"]
        let legend = bounds.enumerated().flatMap { level, words in
            [
                Segment(
                    "\(level == 0 ? "" : "  ")\(WallCell.glyph(ofLevel: level, look))",
                    WallCell.style(ofLevel: level, look)
                ),
                Segment(" \(words)", look[.faint]),
            ]
        }
        guard words.displayWidth + 3 + legend.displayWidth <= room else { return }
        let column = area.columns - 1 - legend.displayWidth
        frame.write(legend, at: Position(column: column, row: area.row), limit: room, ellipsis: look.glyphs.ellipsis)
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let look = model.look
        guard !layout.lines.isEmpty else {
            frame.write(
                model.emptiness,
                at: Position(column: 3, row: area.row),
                style: look[.faint],
                limit: area.columns - 4
            )
            return
        }
        let glances = model.roster.standings.glances
        for line in layout.lines {
            let row = area.row + line.row
            if line.cells.lowerBound == 0 { drawName(of: line, in: area, on: &frame) }
            let column = 1 + layout.indent
            for (offset, cell) in line.cells.enumerated() {
                guard let cell = WallCell(layout.targets(ofCell: cell, in: line.section), of: glances) else { continue }
                let place = column + offset
                frame.fill(row: row, columns: place..<place + 1, with: cell.glyph(look), style: cell.style(look))
            }
        }
        drawCursor(in: area, on: &frame)
    }

    private func drawName(of line: WallLayout.Line, in area: Area, on frame: inout Frame) {
        let look = model.look
        let section = layout.sections[line.section]
        switch layout.naming {
        case .heads:
            let head = GroupHead(name: section.name, members: section.members, of: model.roster.standings)
            frame.write(
                head.segments(columns: area.columns - 2, look: look),
                at: Position(column: 1, row: area.row + line.row - 1),
                limit: area.columns - 2,
                ellipsis: look.glyphs.ellipsis
            )
        case .inline(let width):
            let name = (section.name ?? "other").truncated(toColumns: width, ellipsis: look.glyphs.ellipsis)
            frame.write(name, at: Position(column: 1, row: area.row + line.row), style: look[.title])
        case .none:
            break
        }
    }

    private func drawCursor(in area: Area, on frame: inout Frame) {
        guard case .target(let id) = model.selection.id, let position = model.roster.position(of: id),
            let place = layout.place(of: position)
        else { return }
        let standing = model.roster.standings[position]
        let line = layout.lines[place.line]
        let column = 1 + layout.indent + place.column
        frame.restyle(row: area.row + line.row, columns: column..<column + 1) { _ in Style(nil, .reversed) }
        guard area.rows >= 2 else { return }
        frame.write(
            WallCaption(standing, among: layout.targets(at: place), model: model).segments(columns: area.columns - 2),
            at: Position(column: 1, row: area.row + area.rows - 1),
            limit: area.columns - 2,
            ellipsis: model.look.glyphs.ellipsis
        )
    }
}
