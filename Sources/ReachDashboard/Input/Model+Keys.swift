import ReachMonitoring
import ReachScreen

extension Model {
    /// Handles keys up to the first one with effects.
    ///
    /// - Parameter rest: Gets the keys after that one.
    mutating func press(_ keys: [Key], rest: inout [Key]) -> [Effect] {
        for (index, key) in keys.enumerated() {
            let following = keys[(index + 1)...]
            // Prompts have no keys with alt: the terminal sent the escape key and the key after it together.
            if case .alt(let character) = key, isLineOrQuestionOpen {
                return press([.escape, .character(character)] + following, rest: &rest)
            }
            let effects = press(key)
            // The screens between several steps of the time cursor are not needed.
            if let next = following.first, frozen?.isRewindDue == true, movesCursor(next) { continue }
            reconcile()
            if !effects.isEmpty {
                rest = Array(following)
                return effects
            }
        }
        return []
    }

    /// Whether a prompt, a question, the list of columns or a form is open.
    var isLineOrQuestionOpen: Bool {
        prompts.question != nil || prompts.current != nil || columns.index != nil || editing.form != nil
    }

    /// Whether a key moves the time cursor of a frozen screen, on which no prompt is open.
    private func movesCursor(_ key: Key) -> Bool {
        switch KeyTable.action(for: key) {
        case .fold, .unfold, .previousEvent, .nextEvent, .jumpBack, .jumpForward: true
        default: false
        }
    }

    /// Handles a key: in the prompt or question, or else by the key table in the topmost view. A key without an action
    /// is ignored.
    mutating func press(_ key: Key) -> [Effect] {
        if let question = prompts.question { return press(key, in: question) }
        if let prompt = prompts.current { return press(key, in: prompt) }
        if let index = columns.index { return press(key, inColumnsAt: index) }
        if let form = editing.form { return press(key, in: form) }
        guard let action = KeyTable.action(for: key) else { return pressMouse(key) }
        staleness = onlyMovesSelection(action) ? .selected : .urgent
        status = nil
        return perform(action)
    }

    /// Whether an action changes nothing but the selection in the table, on an otherwise fresh picture. It may scroll.
    private func onlyMovesSelection(_ action: Action) -> Bool {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last:
            staleness <= .selected && status == nil && navigation.view == .table
                && navigation.helpScroll == nil
        default: false
        }
    }

    /// Performs an action: one of the program, or else one of the topmost view.
    mutating func perform(_ action: Action) -> [Effect] {
        if opened != nil, OpenedFile.lacks(action) {
            showStatus("a file shows the past: nothing can be changed")
            return []
        }
        switch action {
        case .quit: return quit()
        case .quitAtOnce: return askAboutUnsaved() ? [] : [.exit(.quit)]
        case .suspend: return [.suspend]
        case .repaint: return [.repaint]
        case .reload: return reload()
        case .undo: return undo()
        case .write: return write()
        case .toggleMouse: return toggleMouse()
        case .toggleAlerts: toggleAlerts()
        case .savePicture: return savePicture()
        case .saveIncident: return saveIncident()
        case .back: back()
        case .palette: openPalette()
        case .togglePauseAll: askToPauseAll()
        case .freeze: toggleFreeze()
        case .previousEvent where isInStrips, .nextEvent where isInStrips: return performInStrips(action)
        case .previousEvent, .nextEvent: moveCursorToEvent(action)
        case .jumpBack, .jumpForward: jump(isLater: action == .jumpForward)
        case .fold where hasCharts, .unfold where hasCharts: moveCursor(action)
        case .help: navigation.toggleHelp()
        case .table: navigation.show(.table)
        case .wall: navigation.show(.wall)
        case .graphs: navigation.show(.graphs)
        case .strips: navigation.show(.strips)
        case .vantagePoints: navigation.show(.vantagePoints)
        case .paths: navigation.show(.paths)
        case .nextView:
            navigation.showNext(
                hasVantagePoints: !roster.vantage.isEmpty,
                hasPaths: roster.states.contains(where: \.hasPath)
            )
        default:
            if let scroll = navigation.helpScroll {
                let (lines, height) = HelpView(model: self, scroll: scroll).extent
                navigation.scrollHelp(to: scrolled(scroll, by: action, lines: lines, height: height))
                return []
            }
            switch navigation.view {
            case .table: return performInTable(action)
            case .detail(let viewState): return perform(action, in: viewState)
            case .wall: return performInWall(action)
            case .graphs: return performInGraphs(action)
            case .strips: return performInStrips(action)
            case .vantagePoints: return performInVantagePoints(action)
            case .path(let viewState): return perform(action, in: viewState)
            case .paths: return performInPaths(action)
            case .comparison: return performInComparison(action)
            case .events(let viewState): return perform(action, in: viewState)
            case .hooks(let viewState): return perform(action, in: viewState)
            }
        }
        return []
    }

    /// Whether the strips are shown, without help above them.
    private var isInStrips: Bool { navigation.helpScroll == nil && navigation.view == .strips }

    /// Goes back by one step, in this order: closes help, unfreezes the screen, closes the topmost view, selects all slices
    /// of the strips, clears the filter, shows the table.
    mutating func back() {
        if frozen != nil, opened == nil, navigation.helpScroll == nil {
            frozen = nil
            // An event that was opened leads back to the events.
            if navigation.hasEventsBelow { navigation.close() }
        } else if navigation.back() {
            return
        } else if isInStrips, strips.cursor != nil {
            strips.select(nil)
        } else if !list.filter.isEmpty {
            filter(by: Filter())
        } else {
            navigation.show(.table)
        }
    }

    /// Limits the scroll position of help.
    mutating func reconcileHelp() {
        guard let scroll = navigation.helpScroll, scroll > 0 else { return }
        let (lines, height) = HelpView(model: self, scroll: scroll).extent
        navigation.scrollHelp(to: min(scroll, max(0, lines - height)))
    }

    /// Returns the scroll position after a moving action; other actions do not change it.
    func scrolled(_ scroll: Int, by action: Action, lines: Int, height: Int) -> Int {
        moved(scroll, by: action, count: lines - height + 1, page: height)
    }

    /// Returns the index after a moving action; other actions do not change it.
    func moved(_ index: Int, by action: Action, count: Int, page: Int) -> Int {
        let page = max(1, page)
        let wanted =
            switch action {
            case .up: index - 1
            case .down: index + 1
            case .pageUp: index - page
            case .pageDown: index + page
            case .first: 0
            case .last: count - 1
            default: index
            }
        return max(0, min(count - 1, wanted))
    }
}
