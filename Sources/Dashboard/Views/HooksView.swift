import Monitoring
import Screen

/// The hook runs, what is armed first, and below them what the selected one wrote.
///
/// ```
/// Hook runs ────────────────────────────────────────────────────────────────────────────
/// ▸⚑ 14:02:20  NAS     armed for 30m       mount /mnt/nas          29m48s left
///    14:01:58  Router  up after 41s        systemctl restart wg0   exited 0           1.2s
/// Output ───────────────────────────────────────────────────────────────────────────────
///  restarted
/// ```
struct HooksView: View {
    let model: Model
    let place: HooksPlace

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let rows = model.hookRows(of: place.targets)
        if place.outputScroll != nil {
            drawOutput(of: rows, in: area, on: &frame)
            return
        }
        let look = model.look
        frame.writeHead(place.name.map { "Hook runs of \($0)" } ?? "Hook runs", in: area, look: look)
        guard !rows.isEmpty else {
            let text = "no hook has run yet: x in the table arms one, t tests the target's own"
            frame.write(text, at: Position(column: 3, row: area.row + 1), style: look[.faint], limit: area.columns - 4)
            return
        }
        let height = Self.listHeight(of: model)
        let names = rows.dropFirst(place.scroll).prefix(height).map { HookLine($0, model: model).name.displayWidth }
        let layout = HookColumn.layout(width: area.columns - 4, nameWidth: names.max() ?? 0)
        for (index, row) in rows.dropFirst(place.scroll).prefix(min(height, area.rows - 1)).enumerated() {
            let line = HookLine(row, model: model)
            let isSelected = place.scroll + index == place.index
            line.draw(row: area.row + 1 + index, by: layout, isSelected: isSelected, on: &frame)
        }
        var output = area
        output.row += 1 + height
        output.rows -= 1 + height
        drawOutput(of: rows, in: output, on: &frame)
    }

    private func drawOutput(of rows: [HookRow], in area: Area, on frame: inout Frame) {
        guard area.rows > 1, rows.indices.contains(place.index) else { return }
        let look = model.look
        let row = rows[place.index]
        frame.writeHead(row.action.truncated(toColumns: max(8, area.columns - 6)), in: area, look: look)
        let lines = Self.outputLines(of: rows, at: place, width: area.columns)
        let height = area.rows - 1
        // In the pane the end is what matters; at full height the user scrolls.
        let start = place.outputScroll ?? max(0, lines.count - height)
        for (index, line) in lines.dropFirst(start).prefix(height).enumerated() {
            frame.write(
                line,
                at: Position(column: 2, row: area.row + 1 + index),
                style: look[.faint],
                limit: area.columns - 3
            )
        }
    }

    /// What the selected run wrote, in lines that fit; what there is to say where it wrote nothing.
    static func outputLines(of rows: [HookRow], at place: HooksPlace, width: Int) -> [String] {
        guard rows.indices.contains(place.index) else { return [] }
        switch rows[place.index] {
        case .armed:
            return ["runs once when its target is reachable; x disarms it"]
        case .entry(let entry):
            guard case .finished(let result, _) = entry.state else { return [entry.state.word] }
            let dropped = result.droppedBytes == 0 ? [] : ["(\(result.droppedBytes) bytes before this are not kept)"]
            let lines = result.output.split(whereSeparator: \.isNewline).flatMap { line in
                String(line).wrapped(toColumns: max(8, width - 3), lines: 64)
            }
            return dropped + (lines.isEmpty ? ["it wrote nothing"] : lines)
        }
    }

    /// How many runs are seen at a time: two thirds of the height, the rest is for the output.
    static func listHeight(of model: Model) -> Int {
        let areas = model.areas
        let body = areas.footer.row - areas.headings.row - 1
        return max(1, body < 8 ? body : body * 2 / 3)
    }
}
