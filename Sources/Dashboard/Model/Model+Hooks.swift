import Monitoring
import Screen

extension Model {
    /// The lines of the hook runs: what is armed, in the order of the settings, then the runs, newest first.
    func hookRows(of targets: Set<Target.ID>?) -> [HookRow] {
        let armed = shownRoster.standings.flatMap { standing -> [HookRow] in
            guard targets?.contains(standing.id) ?? true else { return [] }
            return standing.armed.map { .armed($0, standing.target) }
        }
        let entries = (frozen?.live ?? live).hooks.entries.reversed().filter { targets?.contains($0.target) ?? true }
        return armed + entries.map(HookRow.entry)
    }

    /// Opens the hook runs of all targets, or of the selected ones.
    mutating func openHooks(ofSelected isSelected: Bool) {
        var place = HooksPlace()
        if isSelected {
            let targets = selectedTargets
            guard !targets.isEmpty else { return }
            place.targets = Set(targets.map(\.id))
            place.name = Self.name(of: targets)
        }
        navigation.open(.hooks(place))
    }

    /// Performs an action in the list of hook runs.
    mutating func perform(_ action: Action, in place: HooksPlace) -> [Effect] {
        var place = place
        let rows = hookRows(of: place.targets)
        switch action {
        case .toggleHooks, .targetHooks:
            navigation.leave()
            return []
        case .toggleEvents:
            navigation.open(.events(scroll: 0))
            return []
        case .togglePauseAll:
            return togglePause(roster.standings)
        case .open where rows.indices.contains(place.index):
            place.outputScroll = place.outputScroll == nil ? 0 : nil
        case .arm where rows.indices.contains(place.index):
            guard case .armed(let hook, _) = rows[place.index] else {
                say("only an armed hook can be disarmed")
                return []
            }
            say("disarmed \(hook.action.description.truncated(toColumns: 40))")
            return passOn(live.change { roster, _ in roster.disarm(hook.id) })
        case _ where place.outputScroll != nil:
            let lines = HooksView.outputLines(of: rows, at: place, width: size.columns).count
            place.outputScroll = scrolled(
                place.outputScroll ?? 0,
                by: action,
                lines: lines,
                height: max(1, size.rows - 4)
            )
        default:
            guard !rows.isEmpty else { return [] }
            place.index = moved(place.index, by: action, count: rows.count, page: HooksView.listHeight(of: self) - 1)
            place.selection = rows[place.index].id
        }
        navigation.open(.hooks(place))
        return []
    }

    /// Keeps the selected run selected when others move it, and on the screen.
    mutating func settleHooks() {
        guard case .hooks(var place) = navigation.view else { return }
        let rows = hookRows(of: place.targets)
        let index = place.selection.flatMap { id in rows.firstIndex { $0.id == id } }
        // Nothing is selected by hand: the newest.
        place.index = index ?? (place.selection == nil ? 0 : min(place.index, max(0, rows.count - 1)))
        if place.selection != nil, rows.indices.contains(place.index) { place.selection = rows[place.index].id }
        let height = HooksView.listHeight(of: self)
        place.scroll = min(place.scroll, place.index, max(0, rows.count - height))
        if place.index >= place.scroll + height { place.scroll = place.index - height + 1 }
        navigation.open(.hooks(place))
    }

    /// Runs the hooks of the selected target by hand.
    mutating func testHooks() -> [Effect] {
        guard let standing = selectedTarget else {
            say("select a target to test its hooks")
            return []
        }
        let consequences = live.change { $0.test(standing.id, at: $1) }
        let count = consequences.runs.count
        say(
            count == 0
                ? "\(standing.target.label) has no hooks: x arms one"
                : "testing \(count) \(count == 1 ? "hook" : "hooks") of \(standing.target.label)"
        )
        return passOn(consequences)
    }
}
