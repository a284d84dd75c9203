import Monitoring
import Screen

extension Model {
    /// Takes a key: the prompt first, then whatever lies on top, then the key table. A key that means nothing does
    /// nothing and says nothing.
    mutating func take(_ key: Key) -> [Effect] {
        if prompt != nil {
            takeInPrompt(key)
            return []
        }
        guard let action = KeyTable.action(for: key) else { return [] }
        staleness = .urgent
        status = nil
        switch action {
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .repaint: return [.repaint]
        case .reload: return [.reload]
        case .back: back()
        case .help: helpScroll = helpScroll == nil ? 0 : nil
        default:
            if helpScroll != nil {
                scrollHelp(action)
            } else if case .events(let scroll) = view {
                return performInEvents(action, from: scroll)
            } else {
                return performInTable(action)
            }
        }
        return []
    }

    private mutating func takeInPrompt(_ key: Key) {
        staleness = .urgent
        switch key {
        case .enter:
            prompt = nil
        case .escape, .control("c"):
            prompt = nil
            filter = Filter()
        default:
            guard var editor = prompt, editor.take(key) else { return }
            prompt = editor
            filter = Filter(editor.text)
        }
    }

    /// Leaves what lies on top: help, the events, then the filter.
    private mutating func back() {
        if helpScroll != nil {
            helpScroll = nil
        } else if view != .table {
            view = .table
        } else {
            filter = Filter()
        }
    }

    private mutating func scrollHelp(_ action: Action) {
        let height = max(1, size.rows - 3)
        helpScroll = scrolled(helpScroll ?? 0, by: action, lines: HelpView.lineCount, height: height)
    }

    private mutating func performInEvents(_ action: Action, from scroll: Int) -> [Effect] {
        switch action {
        case .toggleEvents:
            view = .table
        case .togglePauseAll:
            return togglePause(roster.standings)
        default:
            let height = max(1, size.rows - 3)
            let lines = EventsView.lineCount(of: self)
            view = .events(scroll: scrolled(scroll, by: action, lines: lines, height: height))
        }
        return []
    }

    /// Where a list is scrolled to after an action that moves; others leave it where it is.
    private func scrolled(_ scroll: Int, by action: Action, lines: Int, height: Int) -> Int {
        let end = max(0, lines - height)
        let wanted =
            switch action {
            case .up: scroll - 1
            case .down: scroll + 1
            case .pageUp: scroll - height
            case .pageDown: scroll + height
            case .first: 0
            case .last: end
            default: scroll
            }
        return max(0, min(end, wanted))
    }
}
