import ReachMonitoring
import ReachScreen

/// The wall: a cell for each target, thousands on a screen, and a line that describes the selected target. Few targets
/// are tiles, more are names, many are dots.
///
/// ```
/// ▸○ NAS                      ● Router         ● Router    1.2ms   ○ NAS         12s
///    down 12s  refused          1.2ms
///    ▁▁▁▁▁▁▂▁▁▁▁▁▁××××××        ▁▁▁▁▁▁▁▁▂▁▁▁▁▁
///
/// Hall A ───────────────────────────────────────────────────────────── 419/420 up ──
/// ▫▫▫▫▪▫▫■▫▫▫▫▫▫▫▫▫▫▫○▫▫▫▪▫▫▫▫▫▫▫▫▫‖▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▪▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫▫
///                                        each cell shows the worst of 2   ▫ <10ms   ▪ <50ms   ■ <200ms   ▣ slower
/// ○ ap-c-221  icmp 10.3.2.21  down  timeout   last –   loss 31%   for 4m11s
/// ```
struct WallView: View {
    let context: ViewContext
    private let list: RowList
    private let selected: Row.ID?
    private let emptyText: String
    private let scale: WallScale
    /// Whether the newest events fit below the wall.
    let hasEvents: Bool
    let layout: WallLayout
    /// The area of the cells and of the line that describes the selected target.
    let area: Area

    init(model: Model) {
        context = ViewContext(model)
        (list, selected, emptyText) = (model.list, model.selection.id, model.emptyText)
        scale = model.wallState.scale
        let areas = model.areas
        // The wall has no headings.
        let body = areas.body
        let sections = WallSection.sections(of: list.order)
        let (nameWidth, form) = (list.texts.shortNameWidth, model.wallState.form)
        let layout = { (area: Area) in
            WallLayout(
                sections,
                nameWidth: nameWidth,
                form: form,
                columns: area.columns - 2,
                rows: area.rows - Self.captionRows(of: area)
            )
        }
        var small = body
        small.rows -= areas.events.rows
        let fitting = layout(small)
        // The form that the user has chosen may need their rows.
        hasEvents = areas.events.rows > 0 && fitting.isComplete && (form ?? fitting.form.kind) == fitting.form.kind
        area = hasEvents ? small : body
        self.layout = hasEvents ? fitting : layout(body)
    }

    /// The rows below the cells: the legend, and the line that describes the selected target; neither in the lowest
    /// terminals.
    private static func captionRows(of area: Area) -> Int {
        area.rows < 2 ? 0 : area.rows < 6 ? 1 : 2
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
            return WallCell(targets, of: context.roster.states.targetSummaries, scale: scale)
        }
        return nil
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = context.appearance
        guard !layout.lines.isEmpty else {
            frame.write(
                emptyText,
                at: Position(column: 3, row: area.row),
                style: appearance[.faint],
                limit: area.columns - 4
            )
            return
        }
        let summaries = context.roster.states.targetSummaries
        let changed = Set(context.changedTargets.compactMap { context.roster.position(of: $0) })
        for line in layout.lines {
            if line.cells.lowerBound == 0 { drawName(of: line, in: area, on: &frame) }
            for (offset, cell) in line.cells.enumerated() {
                let targets = layout.targets(ofCell: cell, in: line.section)
                guard let cell = WallCell(targets, of: summaries, scale: scale) else { continue }
                let cellArea = layout.area(ofCell: offset, in: line, of: area)
                // Thousands of dots need only the summaries of their targets.
                guard layout.form.isDots else {
                    draw(context.roster.states[cell.position], in: cellArea, on: &frame)
                    continue
                }
                let columns = cellArea.column..<cellArea.column + cellArea.columns
                let isChanged = !changed.isEmpty && cell.targets.contains(where: changed.contains)
                let style = isChanged ? cell.style(appearance).highlighted : cell.style(appearance)
                if columns.count > 1 { frame.fill(row: cellArea.row, columns: columns, style: style) }
                frame.fill(
                    row: cellArea.row,
                    columns: columns.lowerBound..<columns.lowerBound + 1,
                    with: cell.glyph(appearance),
                    style: style
                )
            }
        }
        drawFailures(in: area, on: &frame)
        drawLegend(in: area, on: &frame)
        drawCursor(in: area, on: &frame)
    }

    /// Draws the names of failing targets in the rows that the dots leave.
    private func drawFailures(in area: Area, on frame: inout Frame) {
        let rows = area.rows - Self.captionRows(of: area) - layout.height
        guard layout.form.isDots, rows >= WallFailures.minimumRows else { return }
        let rest = Area(row: area.row + layout.height, rows: rows, columns: area.columns)
        WallFailures(context: context, order: list.order, nameWidth: list.texts.nameWidth).draw(in: rest, on: &frame)
    }

    /// Draws what the cells show, at the right of the line above the caption.
    private func drawLegend(in area: Area, on frame: inout Frame) {
        guard Self.captionRows(of: area) > 1 else { return }
        let appearance = context.appearance
        var texts: [String] = []
        if case .tiles(let width, let height) = layout.form {
            texts.append(WallTile.legend(width: width, height: height))
        }
        if layout.form.kind == .names, let text = list.texts.commonNamePart(appearance.glyphs.ellipsis) {
            texts.append("names without \(text)")
        }
        if layout.targetsPerCell > 1 { texts.append("each cell shows the worst of \(layout.targetsPerCell)") }
        if list.sort != .settings { texts.append("by \(list.sort.name)") }
        if list.isReversed { texts.append("reversed") }
        let text = Segment(texts.joined(separator: ", "), appearance[.faint])
        let bounds = scale.levels.map { "<\($0.roundTripText)" } + ["slower"]
        let levels = bounds.enumerated().flatMap { level, bound in
            [
                Segment(
                    "   \(WallCell.glyph(ofLevel: level, appearance))",
                    WallCell.style(ofLevel: level, of: scale.count, appearance)
                ),
                Segment(" \(bound)", appearance[.faint]),
            ]
        }
        let available = area.columns - 2
        let legend = layout.form.isDots ? [text] + levels : [text]
        let segments = legend.displayWidth <= available ? legend : [text]
        frame.write(
            segments,
            at: Position(column: 1 + max(0, available - segments.displayWidth), row: area.row + area.rows - 2),
            limit: available,
            ellipsis: appearance.glyphs.ellipsis
        )
    }

    /// Draws the tiles or names of some targets, over an earlier frame of the same wall.
    ///
    /// - Returns: Whether it did. Thousands of dots are drawn as fast as some of them.
    func drawChanges(of targets: Set<Target.ID>, on frame: inout Frame) -> Bool {
        guard !layout.form.isDots else { return false }
        for line in layout.lines {
            for (offset, cell) in line.cells.enumerated() {
                guard let position = layout.targets(ofCell: cell, in: line.section).first else { continue }
                let state = context.roster.states[position]
                guard targets.contains(state.id) else { continue }
                let cellArea = layout.area(ofCell: offset, in: line, of: area)
                frame.clear(cellArea)
                draw(state, in: cellArea, on: &frame)
            }
        }
        if case .target(let id) = selected, targets.contains(id) {
            if area.rows >= 2 { frame.clear(row: area.row + area.rows - 1) }
            drawCursor(in: area, on: &frame)
        }
        return true
    }

    /// Draws a target as a name or a tile.
    private func draw(_ state: TargetState, in area: Area, on frame: inout Frame) {
        let isSelected = selected == .target(state.id)
        if case .names(let width, let hasFigures, let bar, _) = layout.form {
            WallName(
                state: state,
                label: list.texts.shortLabel(of: state.target),
                isSelected: isSelected,
                width: width,
                hasFigures: hasFigures,
                barWidth: bar
            )
            .draw(in: area, on: &frame, context: context, scale: scale)
        } else {
            WallTile(state: state, context: context, isSelected: isSelected).draw(in: area, on: &frame)
        }
    }

    private func drawName(of line: WallLayout.Line, in area: Area, on frame: inout Frame) {
        let appearance = context.appearance
        let section = layout.sections[line.section]
        switch layout.naming {
        case .headings:
            let heading = GroupHeading(
                name: section.name,
                members: section.members,
                of: context.roster.states,
                size: list.texts.groupSizes[section.name],
                isChanged: context.isHighlighted(.group(section.name))
            )
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
        guard case .target(let id) = selected, let position = context.roster.position(of: id),
            let cell = layout.cellPosition(of: position)
        else { return }
        let state = context.roster.states[position]
        if layout.form.isDots {
            let dot = layout.area(ofCell: cell.column, in: layout.lines[cell.line], of: area)
            // Without colours, failing cells are reversed too.
            let hasMark = !context.appearance.hasColours
            if hasMark {
                let mark = String(context.appearance.glyphs.selection)
                frame.write(mark, at: Position(column: dot.column, row: dot.row))
            }
            frame.restyle(row: dot.row, columns: dot.column..<dot.column + dot.columns) { _ in Style(nil, .reversed) }
        }
        guard area.rows >= 2 else { return }
        let caption = WallCaption(state: state, neighbours: layout.targets(at: cell), context: context)
        frame.write(
            caption.segments(columns: area.columns - 2),
            at: Position(column: 1, row: area.row + area.rows - 1),
            limit: area.columns - 2,
            ellipsis: context.appearance.glyphs.ellipsis
        )
    }
}

/// The line below the wall that describes the selected target.
struct WallCaption {
    let state: TargetState
    /// All targets of its cell.
    let neighbours: ArraySlice<Int>
    let context: ViewContext

    func segments(columns: Int) -> [Segment] {
        let appearance = context.appearance
        let row = TableRow(
            state: state,
            context: context,
            methodWidth: state.target.question.method.rawValue.count + 1
        )
        let gap = Segment("   ", .plain)
        let name = [
            Segment("\(row.glyph) ", appearance[row.role]),
            Segment(state.target.label, appearance[.title]), gap,
        ]
        let health = row.segments(of: .health, width: 40) + [gap]
        let figures = [("last ", TableColumn.last), ("loss ", .loss), ("for ", .since)].flatMap { label, column in
            [Segment(label, appearance[.faint])] + row.segments(of: column, width: 8) + [gap]
        }
        // On a short line, the health is more important than the address.
        let url = columns < 60 ? [] : row.segments(of: .url, width: 44) + [gap]
        return name + url + health + figures + others
    }

    private var others: [Segment] {
        guard neighbours.count > 1, let first = neighbours.first, let last = neighbours.last else { return [] }
        let states = context.roster.states
        let names = [first, last].map { states[$0].target.label }
        let range = names.joined(separator: " \(context.appearance.glyphs.ellipsis) ")
        return [Segment("one of \(neighbours.count): \(range)", context.appearance[.faint])]
    }
}
