import Monitoring
import Screen

/// The wall: a cell for each target, thousands on a screen, and a line that describes the selected target.
///
/// ```
/// each cell is 2 targets: the worst               ▪ under 10ms  ▪ 50ms  ■ 200ms  ■ over
/// Hall A ───────────────────────────────────────────────────────────── 419/420 up ──
/// ▪▪▪▪▪▪▪■▪▪▪▪▪▪▪▪▪▪▪○▪▪▪▪▪▪▪▪▪▪▪▪▪‖▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪
///
/// ○ ap-c-221  icmp 10.3.2.21  down  timeout   last –   loss 31%   for 4m11s
/// ```
struct WallView: View {
    let model: Model
    /// Whether the newest events fit below the wall.
    let hasEvents: Bool
    let layout: WallLayout
    /// The area of the cells and of the line that describes the selected target.
    let area: Area

    init(model: Model) {
        self.model = model
        let areas = model.areas
        let sections = WallSection.sections(of: model.list.order)
        // The line for the selected target, and a blank line above it; neither in the lowest terminals.
        let captionRows = { (area: Area) in area.rows < 2 ? 0 : area.rows < 6 ? 1 : 2 }
        let small = areas.list
        var whole = small
        whole.rows = max(0, areas.footer.row - small.row)
        let fitting = WallLayout(sections, columns: small.columns - 2, rows: small.rows - captionRows(small))
        hasEvents =
            areas.events.rows > 0 && fitting.targetsPerCell == 1 && fitting.indent == 0
            && fitting.sections.count == sections.count
        area = hasEvents ? small : whole
        layout =
            hasEvents
            ? fitting : WallLayout(sections, columns: whole.columns - 2, rows: whole.rows - captionRows(whole))
    }

    /// The cell at a screen position.
    func cell(at position: Position) -> WallCell? {
        let column = position.column - 1 - layout.indent
        guard let line = layout.lines.first(where: { area.row + $0.row == position.row }),
            (0..<line.cells.count).contains(column)
        else { return nil }
        let targets = layout.targets(ofCell: line.cells.lowerBound + column, in: line.section)
        return WallCell(targets, of: model.roster.states.targetSummaries)
    }

    func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, !layout.lines.isEmpty else { return }
        let appearance = model.appearance
        var text =
            layout.targetsPerCell == 1
            ? "each cell is a target" : "each cell is \(layout.targetsPerCell) targets: the worst"
        if model.list.sort != .settings { text += ", by \(model.list.sort.name)" }
        if model.list.isReversed { text += ", reversed" }
        let room = area.columns - 2
        frame.write(
            [Segment(text, appearance[.faint])],
            at: Position(column: 1, row: area.row),
            limit: room,
            ellipsis: appearance.glyphs.ellipsis
        )
        let bounds = WallCell.levels.map { "<\($0.roundTripText)" } + ["slower"]
        let legend = bounds.enumerated().flatMap { level, bound in
            [
                Segment(
                    "\(level == 0 ? "" : "  ")\(WallCell.glyph(ofLevel: level, appearance))",
                    WallCell.style(ofLevel: level, appearance)
                ),
                Segment(" \(bound)", appearance[.faint]),
            ]
        }
        guard text.displayWidth + 3 + legend.displayWidth <= room else { return }
        let column = area.columns - 1 - legend.displayWidth
        frame.write(
            legend,
            at: Position(column: column, row: area.row),
            limit: room,
            ellipsis: appearance.glyphs.ellipsis
        )
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = model.appearance
        guard !layout.lines.isEmpty else {
            frame.write(
                model.emptyText,
                at: Position(column: 3, row: area.row),
                style: appearance[.faint],
                limit: area.columns - 4
            )
            return
        }
        let summaries = model.roster.states.targetSummaries
        for line in layout.lines {
            let row = area.row + line.row
            if line.cells.lowerBound == 0 { drawName(of: line, in: area, on: &frame) }
            let start = 1 + layout.indent
            for (offset, cell) in line.cells.enumerated() {
                guard let cell = WallCell(layout.targets(ofCell: cell, in: line.section), of: summaries) else {
                    continue
                }
                let column = start + offset
                frame.fill(
                    row: row,
                    columns: column..<column + 1,
                    with: cell.glyph(appearance),
                    style: cell.style(appearance)
                )
            }
        }
        drawCursor(in: area, on: &frame)
    }

    private func drawName(of line: WallLayout.Line, in area: Area, on frame: inout Frame) {
        let appearance = model.appearance
        let section = layout.sections[line.section]
        switch layout.naming {
        case .headings:
            let heading = GroupHeading(name: section.name, members: section.members, of: model.roster.states)
            frame.write(
                heading.segments(columns: area.columns - 2, appearance: appearance),
                at: Position(column: 1, row: area.row + line.row - 1),
                limit: area.columns - 2,
                ellipsis: appearance.glyphs.ellipsis
            )
        case .inline(let width):
            let name = (section.name ?? "other").truncated(toColumns: width, ellipsis: appearance.glyphs.ellipsis)
            frame.write(name, at: Position(column: 1, row: area.row + line.row), style: appearance[.title])
        case .none:
            break
        }
    }

    private func drawCursor(in area: Area, on frame: inout Frame) {
        guard case .target(let id) = model.selection.id, let position = model.roster.position(of: id),
            let cell = layout.cellPosition(of: position)
        else { return }
        let state = model.roster.states[position]
        let line = layout.lines[cell.line]
        let column = 1 + layout.indent + cell.column
        frame.restyle(row: area.row + line.row, columns: column..<column + 1) { _ in Style(nil, .reversed) }
        guard area.rows >= 2 else { return }
        frame.write(
            WallCaption(state, among: layout.targets(at: cell), model: model).segments(columns: area.columns - 2),
            at: Position(column: 1, row: area.row + area.rows - 1),
            limit: area.columns - 2,
            ellipsis: model.appearance.glyphs.ellipsis
        )
    }
}
