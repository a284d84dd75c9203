import Monitoring
import Screen

extension Model {
    /// Takes a key: the prompt first, then whatever lies on top, then the key table. A key that means nothing does
    /// nothing and says nothing.
    mutating func take(_ key: Key) -> [Effect] {
        if prompt != nil {
            return takeInPrompt(key)
        }
        guard let action = KeyTable.action(for: key) else { return takeMouse(key) }
        staleness = .urgent
        status = nil
        switch action {
        case .quit: return [.exit(.quit)]
        case .suspend: return [.suspend]
        case .repaint: return [.repaint]
        case .reload: return [.reload]
        case .toggleMouse: return toggleMouse()
        case .savePicture: return savePicture()
        case .back: back()
        case .freeze: toggleFreeze()
        case .fold where hasCharts, .unfold where hasCharts: moveCursor(action)
        case .help: helpScroll = helpScroll == nil ? 0 : nil
        case .table: show(.table)
        case .wall: show(.wall)
        case .graphs: show(.graphs)
        case .nextView: show(overview == .table ? .wall : overview == .wall ? .graphs : .table)
        default:
            if helpScroll != nil {
                scrollHelp(action)
                return []
            }
            switch view {
            case .table: return performInTable(action)
            case .detail(let place): return perform(action, in: place)
            case .wall: return performInWall(action)
            case .graphs: return performInGraphs(action)
            case .events(let scroll): return performInEvents(action, from: scroll)
            case .hooks(let place): return perform(action, in: place)
            }
        }
        return []
    }

    /// Shows the table, the wall or the graphs, whatever lies on top.
    private mutating func show(_ overview: View) {
        self.overview = overview
        view = overview
        helpScroll = nil
    }

    /// Leaves what lies on top: help, the frozen moment, an output, the events or the hook runs, a target, then the
    /// filter, then the wall or the graphs.
    private mutating func back() {
        if helpScroll != nil {
            helpScroll = nil
        } else if frozen != nil {
            frozen = nil
        } else if case .hooks(var place) = view, place.outputScroll != nil {
            place.outputScroll = nil
            view = .hooks(place)
        } else if view != overview {
            leave()
        } else if !filter.isEmpty {
            filter = Filter()
        } else {
            show(.table)
        }
    }

    private mutating func scrollHelp(_ action: Action) {
        let (lines, height) = HelpView.extent(of: shown)
        helpScroll = scrolled(helpScroll ?? 0, by: action, lines: lines, height: height)
    }

    /// Keeps help from being scrolled past its end.
    mutating func settleHelp() {
        guard let scroll = helpScroll, scroll > 0 else { return }
        let (lines, height) = HelpView.extent(of: shown)
        helpScroll = min(scroll, max(0, lines - height))
    }

    private mutating func performInEvents(_ action: Action, from scroll: Int) -> [Effect] {
        switch action {
        case .toggleEvents:
            leave()
        case .toggleHooks:
            openHooks(ofSelected: false)
        case .togglePauseAll:
            return togglePause(roster.standings)
        default:
            let height = max(1, size.rows - 3)
            let lines = EventsView.lineCount(of: shown)
            view = .events(scroll: scrolled(scroll, by: action, lines: lines, height: height))
        }
        return []
    }

    /// Where a list is scrolled to after an action that moves; others leave it where it is.
    func scrolled(_ scroll: Int, by action: Action, lines: Int, height: Int) -> Int {
        moved(scroll, by: action, count: lines - height + 1, page: height)
    }

    /// Where the selection of a list goes by an action that moves; others leave it where it is.
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
