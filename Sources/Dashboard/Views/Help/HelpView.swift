import Screen

/// The keys and what they mean, made from the key table, and what the signs mean.
///
/// ```
/// Help ──────────────────────────────────────────── 1 to 20 of 31 ──
/// The target, or all of the group ──────   Views ───────────────────
/// space     pause or resume                1         the table: a li
/// ```
struct HelpView: View {
    let model: Model
    let scroll: Int

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let look = model.look
        let lines = Self.lines(of: model)
        frame.writeHead("Help", in: area, look: look)
        let seen = lines.dropFirst(scroll).prefix(area.rows - 1)
        if seen.count < lines.count {
            frame.writePlace(seen.indices, of: lines.count, in: area, look: look)
        }
        for (index, line) in seen.enumerated() {
            frame.write(
                line,
                at: Position(column: 1, row: area.row + 1 + index),
                limit: area.columns - 2,
                ellipsis: look.glyphs.ellipsis
            )
        }
    }

    /// How many lines help has, and how many of them are seen at a time.
    static func extent(of model: Model) -> (lines: Int, height: Int) {
        (lines(of: model).count, max(1, height(of: model)))
    }

    private static func height(of model: Model) -> Int {
        let areas = model.areas
        return areas.footer.row - areas.headings.row - 1
    }

    private static func lines(of model: Model) -> [[Segment]] {
        HelpLayout(look: model.look, columns: max(1, model.size.columns - 2), rows: height(of: model)).lines
    }
}
