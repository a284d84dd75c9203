import ReachMonitoring
import ReachScreen

/// The palette: the actions that match the text of its prompt, above the footer.
///
/// ```
///  Actions ────────────────────────────────────────────── 1 to 3 of 12 ──
///  space     pause or resume
/// ▸P         pause or resume all targets; asks first
///  r         probe now
///  action: p    enter performs it, esc closes
/// ```
struct PaletteView: View {
    let prompt: Prompt
    let appearance: Appearance
    /// The area of the view below the palette.
    let body: Area

    /// The width of the keys' names.
    private static let nameWidth = 10

    private var rows: [Binding] { KeyTable.bindings(matching: prompt.line.text) }

    /// The maximum height, so that a few matches are not far above the prompt.
    private static let maximumHeight = 16

    /// The area of the palette. It does not depend on the text, so that the list does not jump while the user types.
    var area: Area {
        let height = max(min(4, body.rows), min(Self.maximumHeight, body.rows * 2 / 3))
        return Area(row: body.row + body.rows - height, rows: height, columns: body.columns)
    }

    /// The visible rows, so that the selected one is the last at most.
    private var visible: Range<Int> {
        let height = max(0, area.rows - 1)
        let start = max(0, prompt.choice - height + 1)
        return start..<max(start, min(rows.count, start + height))
    }

    /// Returns the index of the row at a position of the screen.
    func choice(at position: Position) -> Int? {
        let index = visible.lowerBound + position.row - area.row - 1
        return area.contains(position) && position.row > area.row && visible.contains(index) ? index : nil
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let (rows, visible) = (rows, visible)
        frame.clear(area)
        frame.writeHeading("Actions", in: area, appearance: appearance)
        if visible.count < rows.count { frame.writeRange(visible, of: rows.count, in: area, appearance: appearance) }
        if rows.isEmpty, area.rows > 1 {
            let position = Position(column: 1, row: area.row + 1)
            frame.write("no action matches", at: position, style: appearance[.faint], limit: area.columns - 2)
        }
        for (line, index) in zip(area.row + 1..<area.row + area.rows, visible) {
            let binding = rows[index]
            let isSelected = index == prompt.choice
            if isSelected { frame.writeSelectionMark(row: line, appearance) }
            let name = appearance.glyphs.spelled(binding.name).padded(toColumns: Self.nameWidth)
            let used = frame.write(
                [
                    Segment(name, appearance[.title]),
                    Segment(appearance.glyphs.spelled(binding.help), appearance[.text]),
                ],
                at: Position(column: 1, row: line),
                limit: area.columns - 2,
                ellipsis: appearance.glyphs.ellipsis
            )
            guard isSelected else { continue }
            frame.restyle(row: line, columns: 1..<1 + used) { _ in Style(nil, .reversed) }
        }
    }
}

extension Model {
    /// Opens the palette above the view. Help is closed, since it would receive the action.
    mutating func openPalette() {
        if navigation.helpScroll != nil { navigation.toggleHelp() }
        prompts.openPalette()
    }

    func paletteView(_ prompt: Prompt) -> PaletteView {
        PaletteView(prompt: prompt, appearance: appearance, body: areas.body)
    }

    /// Handles a key that selects a row of the palette.
    ///
    /// - Returns: The effects; nil for a key that the prompt handles.
    mutating func pressPalette(_ key: Key, _ prompt: Prompt) -> [Effect]? {
        let action: Action
        switch key {
        case .up, .backTab, .control("p"), .wheelUp: action = .up
        case .down, .tab, .control("n"), .wheelDown: action = .down
        case .pageUp: action = .pageUp
        case .pageDown: action = .pageDown
        case .click(let position):
            guard let choice = paletteView(prompt).choice(at: position) else { return [] }
            prompts.select(choice: choice)
            return prompts.current.map { performSelected(of: $0) }
        default: return nil
        }
        staleness = .urgent
        let rows = KeyTable.bindings(matching: prompt.line.text)
        let page = paletteView(prompt).area.rows - 1
        prompts.select(choice: moved(prompt.choice, by: action, count: rows.count, page: page))
        return []
    }

    /// Closes the palette and performs the selected action in the view below. Without one, the palette stays open.
    mutating func performSelected(of prompt: Prompt) -> [Effect] {
        let rows = KeyTable.bindings(matching: prompt.line.text)
        guard rows.indices.contains(prompt.choice) else { return [] }
        prompts.close()
        staleness = .urgent
        status = nil
        return perform(rows[prompt.choice].action)
    }
}
