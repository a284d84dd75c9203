import ReachMonitoring
import ReachScreen

/// The state of the list of hook runs: its targets, its selection and its scroll positions.
struct HooksViewState: Sendable, Hashable {
    /// The targets whose hooks are shown; nil shows all.
    var targets: Set<Target.ID>?
    /// The name of these targets, for the heading.
    var name: String?
    /// The selected row; nil is the newest.
    var selection: HookRow.ID?
    /// The index of the selected row, used when that row disappears.
    var index = 0
    /// The first visible row.
    var scroll = 0
    /// The first visible line of the selected run's output; nil unless the output fills the screen.
    var outputScroll: Int?
}

extension LiveState {
    /// The rows of the hook runs: armed hooks in the order of the settings, then runs, newest first.
    func hookRows(of targets: Set<Target.ID>?) -> [HookRow] {
        let armed = roster.states.flatMap { state -> [HookRow] in
            guard targets?.contains(state.id) ?? true else { return [] }
            return state.armed.map { .armed($0, state.target) }
        }
        let entries = hooks.all.reversed().filter { targets?.contains($0.target) ?? true }
        return armed + entries.map(HookRow.entry)
    }

    /// The text about the process that runs the hooks; nil if this one does, or if there are none.
    var hookOwnerText: String? {
        hookOwner?.summary.flatMap { hasHooks ? $0 : nil }
    }
}

extension Model {
    /// Changes the process that runs the hooks. Its last runs before this one takes over are read too.
    mutating func change(hookOwner owner: HookOwner) -> [Effect] {
        let isTakeover = owner.isThisProcess && live.hookOwner?.isThisProcess == false
        if let message = live.change(hookOwner: owner) { showStatus(message) }
        staleness = .urgent
        reconcile()
        return isTakeover ? [.readHistory(.hookRuns(hookAssignments))] : []
    }

    /// The targets with hooks.
    var hookAssignments: [ProbeRequest.Assignment] {
        live.roster.states.filter { !$0.target.hooks.isEmpty }.map {
            ProbeRequest.Assignment(id: $0.id, target: $0.sharedTarget)
        }
    }

    /// Opens the hook runs of all targets, or of the selected ones.
    mutating func openHooks(ofSelected isSelected: Bool) {
        var viewState = HooksViewState()
        if isSelected {
            let targets = selectedTargets
            guard !targets.isEmpty else { return }
            viewState.targets = Set(targets.map(\.id))
            viewState.name = Self.name(of: targets)
        }
        navigation.open(.hooks(viewState))
    }

    /// Performs an action in the list of hook runs.
    mutating func perform(_ action: Action, in viewState: HooksViewState) -> [Effect] {
        var viewState = viewState
        let rows = shown.hookRows(of: viewState.targets)
        switch action {
        case .toggleHooks, .targetHooks:
            navigation.close()
            return []
        case .toggleEvents:
            navigation.open(.events(EventsViewState()))
            return []
        case .open where rows.indices.contains(viewState.index):
            viewState.outputScroll = viewState.outputScroll == nil ? 0 : nil
        case .arm where rows.indices.contains(viewState.index):
            guard case .armed(let hook, _) = rows[viewState.index] else {
                showStatus("only an armed hook can be disarmed")
                return []
            }
            showStatus("disarmed \(hook.action.description.truncated(toColumns: 40))")
            return forward(live.change { $0.disarm(hook.id, at: $1) })
        case _ where viewState.outputScroll != nil:
            let lines = HooksView.outputLines(of: rows, at: viewState, width: size.columns).count
            viewState.outputScroll = scrolled(
                viewState.outputScroll ?? 0,
                by: action,
                lines: lines,
                height: max(1, size.rows - 4)
            )
        default:
            guard !rows.isEmpty else { return [] }
            let page = HooksView.listHeight(in: areas) - 1
            viewState.index = moved(viewState.index, by: action, count: rows.count, page: page)
            viewState.selection = rows[viewState.index].id
        }
        navigation.open(.hooks(viewState))
        return []
    }

    /// Keeps the selected run selected when new runs move it, and scrolls so that it is visible.
    mutating func reconcileHooks() {
        guard case .hooks(var viewState) = navigation.view else { return }
        let rows = shown.hookRows(of: viewState.targets)
        let index = viewState.selection.flatMap { id in rows.firstIndex { $0.id == id } }
        // Without a selection by the user, the newest run is selected.
        viewState.index = index ?? (viewState.selection == nil ? 0 : min(viewState.index, max(0, rows.count - 1)))
        if viewState.selection != nil, rows.indices.contains(viewState.index) {
            viewState.selection = rows[viewState.index].id
        }
        let height = HooksView.listHeight(in: areas)
        viewState.scroll = viewState.scroll.revealing(viewState.index, of: rows.count, height: height)
        navigation.open(.hooks(viewState))
    }

    /// Asks whether to run the hooks of the selected target as a test.
    mutating func askToTestHooks() -> [Effect] {
        guard let target = selectedTarget?.target, let id = selectedTarget?.id else {
            showStatus("select a target to test its hooks")
            return []
        }
        guard let first = target.hooks.first else {
            showStatus("\(target.label) has no hooks – press x to arm one")
            return forward(live.change { $0.test(id, at: $1) })
        }
        let (count, command) = (target.hooks.count, first.action.description.truncated(toColumns: 40))
        let hooks = count == 1 ? "`\(command)`" : "all \(count) hooks"
        prompts.ask(Confirmation(subject: .testHooks(id), text: "run \(hooks) of \(target.label) now, as a test?"))
        return []
    }

    /// Runs the hooks of a target as a test.
    mutating func testHooks(of id: Target.ID) -> [Effect] {
        let consequences = live.change { $0.test(id, at: $1) }
        let count = consequences.runs.count
        guard count > 0, let target = roster[id]?.target else { return [] }
        showStatus("testing \(count) \(count == 1 ? "hook" : "hooks") of \(target.label)")
        return forward(consequences)
    }
}
