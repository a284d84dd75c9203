import ReachMonitoring
import ReachScreen

/// The matrix of vantage points: a row for each target, a column for each vantage point. The line below it describes the
/// selected target, and the part below that the vantage points.
///
/// ```
///    TARGET    VERDICT                                          fra       nyc     ! syd
/// ▸○ Login     down from 2 of 3: fra, nyc for 3m10s          ○ down     ○ 503     229ms
///  ● Images    up; syd not reporting for 2m                    13ms      89ms – 227ms 2m
/// ○ Login   down from 2 of 3: fra, nyc for 3m10s; syd 229ms
/// Vantage points ────────────────────────────────────────────────────────────────────────
/// ! syd   not reporting for 2m: its last reports are grey, and count for nothing
///   fra   9 targets, 7 up, 2 down; last report 3s ago
/// ```
struct VantageView: View {
    private let context: ViewContext
    private let table: TableView
    private let areas: Areas
    /// The names of all vantage points, in order.
    private let names: [String]
    let layout: VantageLayout
    private var appearance: Appearance { context.appearance }

    init(model: Model) {
        (context, table, areas) = (ViewContext(model), TableView(model: model), model.areas)
        names = context.roster.vantage.names
        layout = VantageLayout(
            first: model.vantage.first,
            of: names,
            nameWidth: model.list.texts.nameWidth + 2,
            columns: model.size.columns
        )
    }

    /// The number of vantage points.
    var count: Int { names.count }

    /// The rows of the list below the targets: the line that describes the selected one.
    static func captionRows(of list: Area) -> Int {
        list.rows < 4 ? 0 : 1
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !names.isEmpty else { return drawPurpose(in: area, on: &frame) }
        drawHeadings(in: areas.headings, on: &frame)
        var list = areas.list
        list.rows -= Self.captionRows(of: list)
        drawRows(in: list, on: &frame)
        if list.rows < areas.list.rows { drawCaption(row: list.row + list.rows, columns: list.columns, on: &frame) }
        drawVantagePoints(in: areas.events, on: &frame)
    }

    /// Tells what the view is for, where no target has vantage points.
    private func drawPurpose(in area: Area, on frame: inout Frame) {
        let text = "Shows what other machines see of a target, read from a Prometheus: [[prometheus]] in the settings."
        let lines = text.wrapped(toColumns: area.columns - 4, lines: area.rows, ellipsis: appearance.glyphs.ellipsis)
        for (index, line) in lines.enumerated() {
            frame.write(line, at: Position(column: 3, row: area.row + index), style: appearance[.faint])
        }
    }

    private func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let faint = appearance[.faint]
        let sort = table.list.sort
        let mark = String(table.list.isReversed ? appearance.glyphs.ascending : appearance.glyphs.descending)
        write([Segment("TARGET\(sort == .name ? " \(mark)" : "")", faint)], in: layout.name, area.row, on: &frame)
        if let verdict = layout.verdict {
            write([Segment("VERDICT\(sort == .health ? " \(mark)" : "")", faint)], in: verdict, area.row, on: &frame)
        }
        let shown = Array(names[layout.visible])
        let width = layout.cells.first?.count ?? 0
        let isSilent = shown.map { context.roster.vantage.summaries[$0]?.isSilent ?? true }
        let headings = VantageHeadings(shown, width: width, ellipsis: appearance.glyphs.ellipsis).texts
        for (index, columns) in layout.cells.enumerated() {
            var segments = [Segment(headings[index], faint)]
            if isSilent[index] {
                let fault = "\(appearance.glyphs.fault) "
                let name = shown[index].truncated(
                    toColumns: max(1, width - fault.displayWidth),
                    ellipsis: appearance.glyphs.ellipsis
                )
                segments = [Segment(fault + name, appearance[.degraded])]
            }
            writeTrailing(segments, in: columns, area.row, on: &frame)
        }
    }

    private func drawRows(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        guard !table.list.rows.isEmpty else {
            frame.write(table.emptyText, at: Position(column: 3, row: area.row), style: appearance[.faint])
            return
        }
        for index in 0..<max(0, min(area.rows, table.list.rows.count - table.scroll)) {
            let (line, row) = (area.row + index, table.list.rows[table.row(atLine: index, of: area.rows)])
            let isSelected = row.id == table.selected
            if isSelected { frame.writeSelectionMark(row: line, appearance) }
            switch row {
            case .group(let name, let members, _):
                table.drawHeading(name, members, isFolded: false, row: line, columns: area.columns, on: &frame)
            case .target(_, let position):
                draw(context.roster.states[position], row: line, on: &frame)
            }
            if isSelected { highlight(row, line: line, on: &frame) }
        }
        let end = min(table.list.rows.count, table.scroll + area.rows)
        frame.writeScrollMarks(table.scroll..<max(table.scroll, end), of: table.list.rows.count, in: area, appearance)
    }

    private func draw(_ state: TargetState, row: Int, on frame: inout Frame) {
        frame.write(
            String(state.glyph(appearance.glyphs)),
            at: Position(column: 1, row: row),
            style: appearance[state.role]
        )
        let name = Segment(state.target.label, appearance[state.isPausedOrBlocked ? .waiting : .text])
        let mark = state.mark(appearance)
        let available = layout.name.count - mark.displayWidth
        let label = name.text.truncated(toColumns: max(1, available), ellipsis: appearance.glyphs.ellipsis)
        write([Segment(label, name.style)] + mark, in: layout.name, row, on: &frame)
        if let columns = layout.verdict {
            write(verdict(of: state, width: columns.count), in: columns, row, on: &frame)
        }
        guard let points = state.vantagePoints else { return }
        for (index, columns) in zip(layout.visible, layout.cells) {
            guard let point = points[names[index]] else { continue }
            let cell = VantageCell(point: point, now: context.now, appearance: appearance)
            writeTrailing([cell.segment(width: columns.count)], in: columns, row, on: &frame)
        }
    }

    /// The health, and what the vantage points say; for a target that this machine probes, the health and its cause.
    private func verdict(of state: TargetState, width: Int) -> [Segment] {
        if state.isPaused { return [Segment("paused", appearance[.waiting])] }
        if let blocker = state.blockedBy, state.isBlocked { return [Segment(blocker.summary, appearance[.waiting])] }
        let health = state.health.rawValue
        guard let text = VantageText(state, at: context.now) else {
            let cause = state.cause(fitting: width - health.displayWidth - 2, at: context.now).map { "  \($0)" } ?? ""
            return [Segment("\(health)\(cause)", appearance[state.health == .up ? .faint : state.role])]
        }
        return [Segment(health + text.rest(fitting: width - health.displayWidth), appearance[text.role])]
    }

    /// The line that describes the selected target, and which of the vantage points are visible.
    private func drawCaption(row: Int, columns: Int, on frame: inout Frame) {
        var available = columns - 2
        if layout.cells.count < names.count {
            let (first, last) = (layout.first + 1, layout.first + layout.cells.count)
            let keys = appearance.glyphs.arrows.isEmpty ? "←→" : "arrows"
            let range = "\(first)–\(last) of \(names.count)"
            let text = ["vantage points \(range)  \(keys)", range].first { $0.displayWidth * 2 < columns } ?? ""
            frame.write(
                text,
                at: Position(column: columns - 1 - text.displayWidth, row: row),
                style: appearance[.faint]
            )
            available -= text.displayWidth + 2
        }
        guard case .target(let id) = table.selected, let state = context.roster[id] else { return }
        let start = [
            Segment("\(state.glyph(appearance.glyphs)) ", appearance[state.role]),
            Segment(state.target.label, appearance[.title]), Segment("   ", .plain),
        ]
        let line = start + verdict(of: state, width: max(12, available - start.displayWidth))
        let position = Position(column: 1, row: row)
        frame.write(line, at: position, limit: available, ellipsis: appearance.glyphs.ellipsis)
    }

    /// Describes the vantage points, silent ones first.
    private func drawVantagePoints(in area: Area, on frame: inout Frame) {
        guard area.rows > 1 else { return }
        frame.writeHeading("Vantage points", in: area, appearance: appearance)
        let summaries = context.roster.vantage.summaries
        let isSilent = { (name: String) in summaries[name]?.isSilent ?? true }
        let sorted = names.filter(isSilent) + names.filter { !isSilent($0) }
        let width = min(24, max(3, names.map(\.displayWidth).max() ?? 0))
        let lines = min(sorted.count, area.rows - 1)
        for (index, name) in sorted.prefix(lines).enumerated() {
            let isLast = index == lines - 1 && lines < sorted.count
            let ellipsis = appearance.glyphs.ellipsis
            let segments =
                isLast
                ? [Segment("  \(ellipsis) \(sorted.count - index) more", appearance[.faint])]
                : self.segments(
                    name.truncated(toColumns: width, ellipsis: ellipsis).padded(toColumns: width),
                    summaries[name]
                )
            frame.write(
                segments,
                at: Position(column: 1, row: area.row + 1 + index),
                limit: area.columns - 2,
                ellipsis: ellipsis
            )
        }
    }

    private func segments(_ name: String, _ summary: VantageSummary?) -> [Segment] {
        guard let summary else { return [] }
        let age = (context.now - summary.lastReportTime).spanText
        guard !summary.isSilent else {
            let text = "not reporting for \(age): its last reports are grey, and count for nothing"
            return [Segment("\(appearance.glyphs.fault) \(name)  \(text)", appearance[.degraded])]
        }
        let counts = [(summary.up, "up"), (summary.degraded, "degraded"), (summary.down, "down")]
        let healths = counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        let targets = "\(summary.targets) \(summary.targets == 1 ? "target" : "targets")"
        let silent = summary.targets - summary.reporting
        let missing = silent > 0 ? ", \(silent) not reported" : ""
        return [
            Segment("  \(name)", appearance[.text]),
            Segment("  \(targets)\(healths)\(missing); last report \(age) ago", appearance[.faint]),
        ]
    }

    /// Highlights the name of the selected row.
    private func highlight(_ row: Row, line: Int, on frame: inout Frame) {
        let columns =
            if case .group(let name, _, _) = row { 1..<(4 + (name ?? "other").displayWidth) } else { layout.name }
        frame.restyle(row: line, columns: columns) { _ in Style(nil, .reversed) }
    }

    private func write(_ segments: [Segment], in columns: Range<Int>, _ row: Int, on frame: inout Frame) {
        frame.write(
            segments,
            at: Position(column: columns.lowerBound, row: row),
            limit: columns.count,
            ellipsis: appearance.glyphs.ellipsis
        )
    }

    private func writeTrailing(_ segments: [Segment], in columns: Range<Int>, _ row: Int, on frame: inout Frame) {
        let start = columns.lowerBound + max(0, columns.count - segments.displayWidth)
        write(segments, in: start..<max(start, columns.upperBound), row, on: &frame)
    }
}

/// The state of the matrix of vantage points.
struct VantageViewState: Sendable {
    /// The index of the first visible vantage point.
    private(set) var first = 0

    /// Shows others of `count` vantage points, of which `shown` are visible.
    mutating func scroll(by step: Int, shown: Int, of count: Int) {
        first = max(0, min(count - shown, first + step))
    }
}
