import ReachMonitoring
import ReachScreen

/// The state of the detail view: its target, the time span of its chart, and the scroll position.
struct DetailViewState: Sendable, Hashable {
    let target: Target.ID
    /// The time span of the chart: one of ``TimeAxis/spans`` or ``TimeAxis/storedSpans``.
    private(set) var span: Duration
    /// Whether the user selected the span.
    private var isSpanSelected = false
    /// The first visible line below the header.
    var scroll = 0

    /// Creates the state of a view at its top, with a chart that has room for sixty probes.
    init(_ state: TargetState) {
        target = state.id
        let wanted = state.target.interval * 60
        span = TimeAxis.spans.first { $0 >= wanted } ?? TimeAxis.spans[TimeAxis.spans.count - 1]
    }

    /// Returns the state for another target. The scroll position and a span that the user selected stay.
    func moved(to state: TargetState) -> DetailViewState {
        var moved = DetailViewState(state)
        moved.scroll = scroll
        if isSpanSelected { (moved.span, moved.isSpanSelected) = (span, true) }
        return moved
    }

    /// The span without those that are read of the history: no older results of paths are kept.
    var shortSpan: Duration { min(span, TimeAxis.spans[TimeAxis.spans.count - 1]) }

    /// Selects the next longer or shorter span.
    ///
    /// - Parameter hasStored: whether there are those that are read of the history.
    /// - Returns: Whether there is one.
    mutating func changeSpan(isLonger: Bool, hasStored: Bool = false) -> Bool {
        let before = span
        span = (TimeAxis.spans + (hasStored ? TimeAxis.storedSpans : [])).next(to: span, isLonger: isLonger)
        isSpanSelected = true
        return span != before
    }
}

extension Model {
    /// The single target that an action applies to; nil for a group.
    var selectedTarget: TargetState? {
        if case .events = navigation.view {
            let targets = selectedEventTargets
            return targets.count == 1 ? targets[0] : nil
        }
        if let target = navigation.openTarget { return roster[target] }
        if navigation.overview == .paths {
            let targets = selectedPathTargets
            return targets.count == 1 ? targets[0] : nil
        }
        guard case .target(let id) = selection.id else { return nil }
        return roster[id]
    }

    /// Says that there is no longer or shorter span.
    mutating func showLimit(of span: Duration, isLonger: Bool) {
        let time = span.lastSpanText.counted
        showStatus(isLonger ? "\(time) is the longest time" : "\(time) is the shortest time")
    }

    /// Opens the detail view of the selected target, or the selected group.
    mutating func openSelected() {
        switch selection.id {
        case .target(let id)?:
            guard let state = shownRoster[id] else { return }
            navigation.open(.detail(DetailViewState(state)))
        case .group(let name)?:
            openGroup(name)
        case nil:
            break
        }
    }

    /// Performs an action in the detail view. The target shown is the selected one.
    mutating func perform(_ action: Action, in viewState: DetailViewState) -> [Effect] {
        switch action {
        case .up, .down, .nextFailing, .previousFailing:
            showTarget(action, after: viewState)
            return []
        case .pageUp, .pageDown, .first, .last:
            scroll(viewState, by: action)
            return []
        case .lengthenSpan, .shortenSpan:
            var viewState = viewState
            let isLonger = action == .lengthenSpan
            if !viewState.changeSpan(isLonger: isLonger, hasStored: !history.isOff) {
                showLimit(of: viewState.span, isLonger: isLonger)
            }
            navigation.open(.detail(viewState))
            return []
        case .path:
            togglePath()
            return []
        case .toggleEvents, .toggleHooks, .targetHooks:
            navigation.keepPreviousView()
            return performInTable(action)
        case .togglePause, .probeNow, .reset, .acknowledge, .arm, .testHooks, .add, .edit, .remove,
            .mark:
            return performInTable(action)
        default:
            return []
        }
    }

    /// Scrolls the detail view by a moving action.
    mutating func scroll(_ viewState: DetailViewState, by action: Action) {
        let (lines, height) = DetailView(model: self, viewState: viewState).extent(in: areas.body)
        var viewState = viewState
        viewState.scroll = scrolled(viewState.scroll, by: action, lines: lines, height: height)
        navigation.open(.detail(viewState))
    }

    /// Shows the previous or next target of the list, or the previous or next failing one. The selection follows.
    private mutating func showTarget(_ action: Action, after viewState: DetailViewState) {
        guard let state = target(action, after: viewState.target) else { return }
        selection.select(.target(state.id))
        navigation.open(.detail(viewState.moved(to: state)))
    }

    /// The previous or next target of the list, or the previous or next failing one; nil if there is none.
    mutating func target(_ action: Action, after target: Target.ID) -> TargetState? {
        let (states, positions) = (shownRoster.states, list.order.positions)
        guard let index = positions.firstIndex(where: { states[$0].id == target }) else {
            // The filter hides the target; its neighbour is selected.
            guard case .target(let id) = selection.id else { return nil }
            return shownRoster[id]
        }
        let next: Int? =
            switch action {
            case .nextFailing, .previousFailing:
                failing(from: index, forward: action == .nextFailing, among: positions)
            default: moved(index, by: action, count: positions.count, page: 1)
            }
        guard let next, next != index else { return nil }
        return states[positions[next]]
    }

    /// Closes the detail view if its target no longer exists, and limits its scroll position.
    mutating func reconcileDetail() {
        let roster = shownRoster
        navigation.reconcile { roster[$0] != nil }
        guard case .detail(var viewState) = navigation.view else { return }
        guard roster[viewState.target] != nil else {
            navigation.open(navigation.overview)
            showStatus("the target was removed from the settings")
            return
        }
        guard viewState.scroll > 0 else { return }
        let (lines, height) = DetailView(model: self, viewState: viewState).extent(in: areas.body)
        viewState.scroll = min(viewState.scroll, max(0, lines - height))
        navigation.open(.detail(viewState))
    }
}
