import ReachMonitoring
import ReachScreen

/// The state of the events at full height: the selected line, the unfolded ones and the scroll position.
struct EventsViewState: Sendable, Hashable {
    /// The selected line; nil is the newest one.
    private(set) var selected: EventList.Line.ID?
    /// The index of the selected line, used when that disappears.
    private(set) var index = 0
    /// The first visible row.
    private(set) var scroll = 0
    /// The folded lines whose entries are shown.
    private(set) var unfolded: Set<EventList.Line.ID> = []

    /// The identity of the selected line; nil without any lines.
    func selection(in list: EventList) -> EventList.Line.ID? {
        position(in: list).map { list.lines[$0].id }
    }

    /// The index of the selected line; nil without any lines.
    func position(in list: EventList) -> Int? {
        guard !list.lines.isEmpty else { return nil }
        guard let selected else { return 0 }
        return list.lines.firstIndex { $0.id == selected } ?? min(index, list.lines.count - 1)
    }

    /// Selects a line. The first one stays selected while new ones come.
    mutating func select(_ index: Int, of list: EventList) {
        guard list.lines.indices.contains(index) else { return }
        self.index = index
        selected = index == 0 ? nil : list.lines[index].id
    }

    /// The state with a line that stays selected.
    func selecting(_ line: EventList.Line) -> EventsViewState {
        var state = self
        state.selected = line.id
        return state
    }

    /// Shows or hides the entries of a folded line.
    mutating func toggle(_ line: EventList.Line) {
        selected = line.id
        unfolded.formSymmetricDifference([line.id])
    }

    /// Scrolls so that the selected line is visible, and as much of its output as fits.
    mutating func reveal(in list: EventList, height: Int) {
        guard let position = position(in: list) else {
            scroll = 0
            return
        }
        index = position
        let (rows, count) = (list.rows(ofLine: position), list.height)
        let last = min(rows.upperBound - 1, rows.lowerBound + height - 1)
        scroll = scroll.revealing(last, of: count, height: height).revealing(rows.lowerBound, of: count, height: height)
    }
}

extension Model {
    /// The lines of the events of the targets that the filter matches; of all events without a filter.
    ///
    /// - Parameter viewState: the unfolded lines and the selected one; nil for the pane, which has neither.
    func eventList(_ viewState: EventsViewState? = nil) -> EventList {
        var list = EventList(of: shown.log, unfolded: viewState?.unfolded ?? [], where: matchesFilter)
        list.selected = viewState?.selection(in: list)
        return list
    }

    /// Whether an event is about a target that the filter matches; nil without a filter.
    var matchesFilter: ((EventEntry) -> Bool)? {
        guard !list.filter.isEmpty else { return nil }
        let states = shownRoster.states
        let matching = Set(list.order.positions.map { states[$0].id })
        return { !matching.isDisjoint(with: $0.targets) }
    }

    /// The targets of the selected event; none in another view, or for an event of the program.
    var selectedEventTargets: [TargetState] {
        guard case .events(let viewState) = navigation.view else { return [] }
        let list = eventList(viewState)
        guard let position = viewState.position(in: list) else { return [] }
        let targets = list.entries(of: list.lines[position]).flatMap(\.targets)
        var known: Set<Target.ID> = []
        return targets.filter { known.insert($0).inserted }.compactMap { roster[$0] }
    }

    /// The time of the selected event; nil in another view.
    var selectedEventTime: Duration? {
        guard case .events(let viewState) = navigation.view else { return nil }
        let list = eventList(viewState)
        return viewState.position(in: list).map { list.newest(of: list.lines[$0]).time }
    }

    /// Performs an action in the events. Actions on targets apply to those of the selected event.
    mutating func perform(_ action: Action, in viewState: EventsViewState) -> [Effect] {
        var viewState = viewState
        let list = eventList(viewState)
        switch action {
        case .toggleEvents:
            navigation.close()
            return []
        case .up, .down, .pageUp, .pageDown, .first, .last:
            guard let position = viewState.position(in: list) else { return [] }
            let page = max(1, eventsHeight - 1)
            viewState.select(moved(position, by: action, count: list.lines.count, page: page), of: list)
        case .open:
            guard let position = viewState.position(in: list) else { return [] }
            let line = list.lines[position]
            guard line.isFolded else { return open(line, of: list, viewState) }
            viewState.toggle(line)
        case .toggleHooks:
            openHooks(ofSelected: false)
            return []
        case .filter, .targetHooks, .acknowledge, .arm, .probeNow, .togglePause, .path, .edit:
            return performInTable(action)
        default:
            return []
        }
        navigation.open(.events(viewState))
        return []
    }

    /// Shows the target of an event at the time of that; the targets of a common cause in the table.
    private mutating func open(_ line: EventList.Line, of list: EventList, _ viewState: EventsViewState) -> [Effect] {
        let entry = list.newest(of: line)
        let states = entry.targets.compactMap { roster[$0] }
        guard let state = states.first else {
            showStatus(entry.targets.isEmpty ? "the event is about the program" : "the target was removed")
            return []
        }
        moveCursor(to: entry.time)
        if states.count == 1 {
            navigation.open(.events(viewState.selecting(line)))
            navigation.keepPreviousView()
            navigation.open(.detail(DetailViewState(state)))
        } else {
            navigation.show(.table)
            let cause = entry.trigger.flatMap { if case .cause(let cause) = $0 { cause } else { nil } }
            if let cause { filter(by: Filter("cause:\(cause.id.rawValue)")) }
        }
        return []
    }

    /// The number of visible rows of the events at full height.
    var eventsHeight: Int { max(1, areas.body.rows - 1) }

    /// Selects the line of the events at a row of the screen. If it is selected already, opens it.
    mutating func clickInEvents(atRow row: Int, _ viewState: EventsViewState) -> [Effect] {
        var viewState = viewState
        let list = eventList(viewState)
        guard (0..<eventsHeight).contains(row), let line = list.line(atRow: viewState.scroll + row) else { return [] }
        status = nil
        staleness = .urgent
        guard line != viewState.position(in: list) else { return perform(.open, in: viewState) }
        viewState.select(line, of: list)
        navigation.open(.events(viewState))
        return []
    }

    /// Keeps the selected line visible.
    mutating func reconcileEvents() {
        guard case .events(var viewState) = navigation.view else { return }
        viewState.reveal(in: eventList(viewState), height: eventsHeight)
        navigation.open(.events(viewState))
    }
}
