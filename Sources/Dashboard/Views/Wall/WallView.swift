import Monitoring
import Screen

/// The wall: a cell for each target, thousands on a screen, and a line that describes the selected target. Few targets
/// are tiles, more are names, many are dots.
///
/// ```
/// ▸○ NAS                      ● Router         ● Router    1.2ms   ○ NAS         12s
///    down 12s  refused          1.2ms
///    ▁▁▁▁▁▁▂▁▁▁▁▁▁××××××        ▁▁▁▁▁▁▁▁▂▁▁▁▁▁
///
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
        let nameWidth = model.list.texts.nameWidth
        let layout = { (area: Area) in
            WallLayout(
                sections,
                nameWidth: nameWidth,
                columns: area.columns - 2,
                rows: area.rows - captionRows(area)
            )
        }
        let small = areas.list
        var whole = small
        whole.rows = max(0, areas.footer.row - small.row)
        let fitting = layout(small)
        hasEvents = areas.events.rows > 0 && fitting.isComplete
        area = hasEvents ? small : whole
        self.layout = hasEvents ? fitting : layout(whole)
    }

    /// The cell at a screen position.
    func cell(at position: Position) -> WallCell? {
        for line in layout.lines {
            let first = layout.area(ofCell: 0, in: line, of: area)
            guard (first.row..<first.row + first.rows).contains(position.row), position.column >= first.column else {
                continue
            }
            let column = (position.column - first.column) / first.columns
            guard column < line.cells.count else { return nil }
            let targets = layout.targets(ofCell: line.cells.lowerBound + column, in: line.section)
            return WallCell(targets, of: model.roster.states.targetSummaries)
        }
        return nil
    }

    func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, !layout.lines.isEmpty else { return }
        let appearance = model.appearance
        var text =
            switch layout.form {
            case .tiles(let width, let height): WallTile.heading(width: width, height: height)
            case .names(_, hasFigures: true, _): "last round trip; for a target that is down, how long"
            case .names: "each name is a target"
            case .dots where layout.targetsPerCell == 1: "each cell is a target"
            case .dots: "each cell is \(layout.targetsPerCell) targets: the worst"
            }
        if model.list.sort != .settings { text += ", by \(model.list.sort.name)" }
        if model.list.isReversed { text += ", reversed" }
        let room = area.columns - 2
        frame.write(
            [Segment(text, appearance[.faint])],
            at: Position(column: 1, row: area.row),
            limit: room,
            ellipsis: appearance.glyphs.ellipsis
        )
        guard layout.form.isDots else { return }
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
            if line.cells.lowerBound == 0 { drawName(of: line, in: area, on: &frame) }
            for (offset, cell) in line.cells.enumerated() {
                guard let cell = WallCell(layout.targets(ofCell: cell, in: line.section), of: summaries) else {
                    continue
                }
                let cellArea = layout.area(ofCell: offset, in: line, of: area)
                // Thousands of dots need only the summaries of their targets.
                guard layout.form.isDots else {
                    draw(model.roster.states[cell.position], in: cellArea, on: &frame)
                    continue
                }
                let columns = cellArea.column..<cellArea.column + cellArea.columns
                let style = cell.style(appearance)
                if columns.count > 1 { frame.fill(row: cellArea.row, columns: columns, style: style) }
                frame.fill(
                    row: cellArea.row,
                    columns: columns.lowerBound..<columns.lowerBound + 1,
                    with: cell.glyph(appearance),
                    style: style
                )
            }
        }
        drawCursor(in: area, on: &frame)
    }

    /// Draws a target as a name or a tile.
    private func draw(_ state: TargetState, in area: Area, on frame: inout Frame) {
        let isSelected = model.selection.id == .target(state.id)
        if case .names(let width, let hasFigures, _) = layout.form {
            WallName(state: state, isSelected: isSelected, width: width, hasFigures: hasFigures)
                .draw(in: area, on: &frame, model: model)
        } else {
            WallTile(state: state, model: model, isSelected: isSelected).draw(in: area, on: &frame)
        }
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
        if layout.form.isDots {
            let dot = layout.area(ofCell: cell.column, in: layout.lines[cell.line], of: area)
            // Without colours, failing cells are reversed too.
            let hasMark = !model.appearance.hasColours
            if hasMark {
                let mark = String(model.appearance.glyphs.selection)
                frame.write(mark, at: Position(column: dot.column, row: dot.row))
            }
            frame.restyle(row: dot.row, columns: dot.column..<dot.column + dot.columns) { _ in Style(nil, .reversed) }
        }
        guard area.rows >= 2 else { return }
        frame.write(
            WallCaption(state, among: layout.targets(at: cell), model: model).segments(columns: area.columns - 2),
            at: Position(column: 1, row: area.row + area.rows - 1),
            limit: area.columns - 2,
            ellipsis: model.appearance.glyphs.ellipsis
        )
    }
}
