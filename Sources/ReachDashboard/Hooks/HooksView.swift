import ReachMonitoring
import ReachScreen

/// The list of armed hooks and hook runs, and the output of the selected run.
///
/// ```
/// Hook runs ────────────────────────────────────────────────────────────────────────────
/// ▸⚑ 14:02:20  NAS     armed for 30m       mount /mnt/nas          29m48s left
///    14:01:58  Router  up after 41s        systemctl restart wg0   ok                 1.2s
/// Router at 14:01:58, ok in 1.2s: systemctl restart wg0 ────────────────────────────────
///  restarted
/// ```
struct HooksView: View {
    private let context: ViewContext
    private let viewState: HooksViewState
    private let areas: Areas

    init(model: Model, viewState: HooksViewState) {
        (context, self.viewState, areas) = (ViewContext(model), viewState, model.areas)
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let rows = context.shown.hookRows(of: viewState.targets)
        if viewState.outputScroll != nil {
            drawOutput(of: rows, in: area, on: &frame)
            return
        }
        let appearance = context.appearance
        frame.writeHeading(title, in: area, appearance: appearance)
        guard !rows.isEmpty else {
            let text =
                context.shown.hookOwnerText == nil
                ? "no hook runs yet: x in the table arms a hook, t tests the target's hooks"
                : "no hook runs yet in this history: runs of a process with another one are not shown"
            frame.write(
                text,
                at: Position(column: 3, row: area.row + 1),
                style: appearance[.faint],
                limit: area.columns - 4
            )
            return
        }
        let height = Self.listHeight(in: areas)
        let visible = rows.indices.dropFirst(viewState.scroll).prefix(min(height, area.rows - 1))
        let list = Area(row: area.row, rows: 1 + visible.count, columns: area.columns)
        frame.writeScroll(visible.startIndex..<visible.endIndex, of: rows.count, in: list, appearance: appearance)
        let lines = rows[visible].map { HookLine(row: $0, context: context) }
        let layout = HookColumn.layout(width: area.columns - 4) { column in
            lines.lazy.map { $0.width(of: column) }.max() ?? 0
        }
        for (index, line) in lines.enumerated() {
            let isSelected = viewState.scroll + index == viewState.index
            line.draw(row: area.row + 1 + index, by: layout, isSelected: isSelected, on: &frame)
        }
        var output = area
        output.row += 1 + height
        output.rows -= 1 + height
        drawOutput(of: rows, in: output, on: &frame)
    }

    private var title: String {
        let title = viewState.name.map { "Hook runs of \($0)" } ?? "Hook runs"
        return context.shown.hookOwnerText.map { "\(title) – \($0)" } ?? title
    }

    private func drawOutput(of rows: [HookRow], in area: Area, on frame: inout Frame) {
        guard area.rows > 1, rows.indices.contains(viewState.index) else { return }
        let appearance = context.appearance
        let title = HookLine(row: rows[viewState.index], context: context).heading
            .truncated(toColumns: max(8, area.columns - 6), ellipsis: appearance.glyphs.ellipsis)
        frame.writeHeading(title, in: area, appearance: appearance)
        let lines = Self.outputLines(of: rows, at: viewState, width: area.columns)
        let height = area.rows - 1
        // The pane shows the end of the output; at full height, the user scrolls.
        let start = viewState.outputScroll ?? max(0, lines.count - height)
        let visible = lines.dropFirst(start).prefix(height)
        frame.writeScroll(visible.indices, of: lines.count, in: area, appearance: appearance)
        for (index, line) in visible.enumerated() {
            frame.write(
                line,
                at: Position(column: 2, row: area.row + 1 + index),
                style: appearance[.faint],
                limit: area.columns - 3
            )
        }
    }

    /// Returns the output of the selected run, wrapped to a width; without output, a description of the state.
    static func outputLines(of rows: [HookRow], at viewState: HooksViewState, width: Int) -> [String] {
        guard rows.indices.contains(viewState.index) else { return [] }
        switch rows[viewState.index] {
        case .armed:
            return ["runs once, when its target is reachable; x disarms it"]
        case .entry(let entry):
            if case .recorded(_, let summary, _) = entry.state { return ["\(summary), in another process"] }
            guard case .finished(let result, _) = entry.state else { return [entry.state.statusText] }
            let dropped = result.droppedBytes == 0 ? [] : ["(\(result.droppedBytes) earlier bytes were dropped)"]
            let lines = result.output.split(whereSeparator: \.isNewline).flatMap { line in
                String(line).wrapped(toColumns: max(8, width - 3), lines: 64)
            }
            return dropped + (lines.isEmpty ? ["no output"] : lines)
        }
    }

    /// The number of visible rows: two thirds of the height, above the output.
    static func listHeight(in areas: Areas) -> Int {
        let body = areas.body.rows - 1
        return max(1, body < 8 ? body : body * 2 / 3)
    }
}

/// A hook run, or an armed hook, as a line.
struct HookLine {
    let row: HookRow
    let context: ViewContext

    /// The columns of the selection mark, the glyph and a blank.
    private static let margin = 3

    /// The target of the hook.
    var name: String {
        switch row {
        case .armed(_, let target): target.label
        case .entry(let entry): entry.name
        }
    }

    func draw(row line: Int, by layout: ColumnLayout<HookColumn>, isSelected: Bool, on frame: inout Frame) {
        let appearance = context.appearance
        if isSelected { frame.writeSelectionMark(row: line, appearance) }
        frame.write(String(mark), at: Position(column: 1, row: line), style: appearance[role])
        for column in layout.columns {
            let segment = segment(of: column.id)
            let missing = column.id == .duration ? max(0, column.range.count - segment.text.displayWidth) : 0
            frame.write(
                [segment],
                at: Position(column: Self.margin + column.range.lowerBound + missing, row: line),
                limit: column.range.count - missing,
                ellipsis: appearance.glyphs.ellipsis
            )
        }
        guard isSelected, let name = layout[.name], let action = layout[.action] else { return }
        let columns = Self.margin + name.lowerBound..<Self.margin + action.upperBound
        frame.restyle(row: line, columns: columns) { _ in Style(nil, .reversed) }
    }

    private var role: Role {
        switch row {
        case .armed: .accent
        case .entry(let entry): entry.state.role
        }
    }

    private var mark: Character {
        switch row {
        case .armed: context.appearance.glyphs.hook
        case .entry(let entry): entry.state.mark(context.appearance.glyphs)
        }
    }

    /// The heading of the output: `NAS at 14:01:58, ok in 1.2s: mount /mnt/nas`.
    var heading: String {
        if case .armed = row { return "\(name), \(segment(of: .cause).text): \(row.action)" }
        let duration = segment(of: .duration).text
        let took = duration.isEmpty ? "" : " in \(duration)"
        return "\(name) at \(segment(of: .time).text), \(segment(of: .status).text)\(took): \(row.action)"
    }

    /// The width of the text in a column.
    func width(of column: HookColumn) -> Int { segment(of: column).text.displayWidth }

    private func segment(of column: HookColumn) -> Segment {
        let appearance = context.appearance
        switch (column, row) {
        case (.name, _):
            return Segment(name, appearance[.text])
        case (.action, _):
            return Segment(row.action, appearance[.text])
        case (.time, .armed(let hook, _)):
            return Segment(context.wall.timeOfDay(at: hook.since), appearance[.faint])
        case (.cause, .armed(let hook, _)):
            return Segment(hook.within.map { "armed for \($0.settingsText)" } ?? "armed", appearance[.faint])
        case (.status, .armed(let hook, _)):
            return Segment(
                hook.deadline.map { "\(max(.zero, $0 - context.now).spanText) left" } ?? "waiting",
                appearance[.accent]
            )
        case (.duration, .armed):
            return Segment("", appearance[.faint])
        case (.time, .entry(let entry)):
            return Segment(context.wall.timeOfDay(at: entry.time), appearance[.faint])
        case (.cause, .entry(let entry)):
            return Segment(entry.cause, appearance[.faint])
        case (.status, .entry(let entry)):
            return Segment(entry.state.statusText, appearance[entry.state.role])
        case (.duration, .entry(let entry)):
            return Segment(entry.duration?.elapsedText ?? "", appearance[.text])
        }
    }
}

/// A column of the list of hook runs.
enum HookColumn: Sendable, Hashable {
    case time, name, cause, action, status, duration

    /// Returns the layout for a width. On narrow terminals, the cause is hidden first, then the duration, then the
    /// time. Name, action and status are always visible. The action takes what the other columns do not need.
    ///
    /// - Parameter longest: the width of a column's longest text.
    static func layout(width: Int, longest: (HookColumn) -> Int) -> ColumnLayout<HookColumn> {
        let (name, cause, status) = (longest(.name), max(1, longest(.cause)), max(1, longest(.status)))
        return ColumnLayout(
            [
                .init(.time, minimum: 8, dropOrder: 2),
                .init(.name, minimum: max(6, min(name, 12)), ideal: min(name, 24)),
                .init(.cause, minimum: min(cause, 14), weight: 2, maximum: min(cause, 48), dropOrder: 0),
                .init(.action, minimum: 12, weight: 3),
                .init(.status, minimum: min(status, 10), ideal: min(status, max(18, width / 4))),
                .init(.duration, minimum: 6, dropOrder: 1),
            ],
            width: max(1, width),
            gap: 2
        )
    }
}
