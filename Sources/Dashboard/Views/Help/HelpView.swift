import Screen

/// Help: the keys and their actions, generated from the key table, and the legend of the symbols.
///
/// ```
/// Help ──────────────────────────────────────────── 1 to 20 of 31 ──
/// Selected target or group ─────────────   Views ───────────────────
/// space     pause or resume                1         show the table:
/// ```
struct HelpView: View {
    let model: Model
    let scroll: Int

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let appearance = model.appearance
        let lines = Self.lines(of: model)
        frame.writeHeading("Help", in: area, appearance: appearance)
        let visible = lines.dropFirst(scroll).prefix(area.rows - 1)
        frame.writeScroll(visible.indices, of: lines.count, in: area, appearance: appearance)
        for (index, line) in visible.enumerated() {
            frame.write(
                line,
                at: Position(column: 1, row: area.row + 1 + index),
                limit: area.columns - 2,
                ellipsis: appearance.glyphs.ellipsis
            )
        }
    }

    /// Returns the number of lines of help, and how many of them are visible at a time.
    static func extent(of model: Model) -> (lines: Int, height: Int) {
        (lines(of: model).count, max(1, height(of: model)))
    }

    private static func height(of model: Model) -> Int {
        let areas = model.areas
        return areas.footer.row - areas.headings.row - 1
    }

    private static func lines(of model: Model) -> [[Segment]] {
        HelpLayout(appearance: model.appearance, columns: max(1, model.size.columns - 2), rows: height(of: model)).lines
    }
}
