import ReachMonitoring
import ReachScreen

/// The state of the view of a path: its target, the time span of its heat rows, and the scroll position.
struct PathViewState: Sendable, Hashable {
    /// The target, and what its details have in common with the path.
    var detail: DetailViewState
    /// Whether there is no column for names.
    var hidesNames = false

    var target: Target.ID { detail.target }

    init(_ detail: DetailViewState) {
        self.detail = detail
        self.detail.scroll = 0
    }

    /// Returns the state for another target.
    func moved(to state: TargetState) -> PathViewState {
        var moved = self
        moved.detail = detail.moved(to: state)
        return moved
    }
}

extension Model {
    /// Opens the path of the selected target; closes it if it is shown already.
    mutating func togglePath() {
        if case .path = navigation.view { return navigation.close() }
        if case .detail(let viewState) = navigation.view {
            navigation.keepPreviousView()
            return navigation.open(.path(PathViewState(viewState)))
        }
        let targets = selectedTargets
        guard targets.count == 1, let id = selectedTarget?.id ?? targets.first?.id else {
            if !targets.isEmpty { showStatus("select one target: p shows its path") }
            return
        }
        openPath(to: id)
    }

    /// Opens the path to a target, if it is shown.
    mutating func openPath(to id: Target.ID) {
        guard let state = shownRoster[id] else { return }
        navigation.open(.path(PathViewState(DetailViewState(state))))
    }

    /// Performs an action in the view of a path. The target shown is the selected one.
    mutating func perform(_ action: Action, in viewState: PathViewState) -> [Effect] {
        var viewState = viewState
        switch action {
        case .up, .down, .nextFailing, .previousFailing:
            guard let state = target(action, after: viewState.target) else { return [] }
            selection.select(.target(state.id))
            navigation.moveDetail(to: state)
            navigation.open(.path(viewState.moved(to: state)))
        case .pageUp, .pageDown, .first, .last:
            scroll(viewState, by: action)
        case .lengthenSpan, .shortenSpan:
            let isLonger = action == .lengthenSpan
            if !viewState.detail.changeSpan(isLonger: isLonger) {
                showLimit(of: viewState.detail.span, isLonger: isLonger)
            }
            navigation.open(.path(viewState))
        case .chooseColumns:
            viewState.hidesNames.toggle()
            navigation.open(.path(viewState))
        case .open:
            openDetail(of: viewState)
        case .path:
            togglePath()
        case .toggleEvents, .toggleHooks, .targetHooks:
            navigation.keepPreviousView()
            return performInTable(action)
        case .togglePause, .probeNow, .reset, .acknowledge, .arm, .testHooks, .add, .edit, .remove:
            return performInTable(action)
        default:
            break
        }
        return []
    }

    /// Shows the details of the target.
    private mutating func openDetail(of viewState: PathViewState) {
        guard !navigation.hasDetailBelow else { return navigation.close() }
        guard let state = shownRoster[viewState.target] else { return }
        navigation.open(.detail(DetailViewState(state)))
    }

    /// Scrolls the hops by a moving action.
    mutating func scroll(_ viewState: PathViewState, by action: Action) {
        let (lines, height) = PathView(model: self, viewState: viewState).extent(in: areas.body)
        var viewState = viewState
        viewState.detail.scroll = scrolled(viewState.detail.scroll, by: action, lines: lines, height: height)
        navigation.open(.path(viewState))
    }

    /// Closes the view of a path if its target no longer exists, and limits its scroll position.
    mutating func reconcilePath() {
        guard case .path(var viewState) = navigation.view else { return }
        guard shownRoster[viewState.target] != nil else {
            navigation.open(navigation.overview)
            showStatus("the target was removed from the settings")
            return
        }
        guard viewState.detail.scroll > 0 else { return }
        let (lines, height) = PathView(model: self, viewState: viewState).extent(in: areas.body)
        viewState.detail.scroll = min(viewState.detail.scroll, max(0, lines - height))
        navigation.open(.path(viewState))
    }
}
