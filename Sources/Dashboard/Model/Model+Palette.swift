import Screen

extension Model {
    /// Opens the palette above the view. Help is closed, since it would receive the action.
    mutating func openPalette() {
        if navigation.helpScroll != nil { navigation.toggleHelp() }
        prompts.openPalette()
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
            guard let choice = PaletteView(model: shown, prompt: prompt).choice(at: position) else { return [] }
            prompts.select(choice: choice)
            return prompts.current.map { performSelected(of: $0) }
        default: return nil
        }
        staleness = .urgent
        let rows = KeyTable.bindings(matching: prompt.line.text)
        let page = PaletteView(model: shown, prompt: prompt).area.rows - 1
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
