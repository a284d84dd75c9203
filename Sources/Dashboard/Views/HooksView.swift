import Monitoring
import Screen

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
    let model: Model
    let viewState: HooksViewState

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let rows = model.hookRows(of: viewState.targets)
        if viewState.outputScroll != nil {
            drawOutput(of: rows, in: area, on: &frame)
            return
        }
        let appearance = model.appearance
        frame.writeHeading(title, in: area, appearance: appearance)
        guard !rows.isEmpty else {
            let text =
                model.hookOwnerText == nil
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
        let height = Self.listHeight(of: model)
        let visible = rows.indices.dropFirst(viewState.scroll).prefix(min(height, area.rows - 1))
        let list = Area(row: area.row, rows: 1 + visible.count, columns: area.columns)
        frame.writeScroll(visible.startIndex..<visible.endIndex, of: rows.count, in: list, appearance: appearance)
        let lines = rows[visible].map { HookLine($0, model: model) }
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
        return model.hookOwnerText.map { "\(title) – \($0)" } ?? title
    }

    private func drawOutput(of rows: [HookRow], in area: Area, on frame: inout Frame) {
        guard area.rows > 1, rows.indices.contains(viewState.index) else { return }
        let appearance = model.appearance
        let title = HookLine(rows[viewState.index], model: model).heading
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
    static func listHeight(of model: Model) -> Int {
        let areas = model.areas
        let body = areas.footer.row - areas.headings.row - 1
        return max(1, body < 8 ? body : body * 2 / 3)
    }
}
