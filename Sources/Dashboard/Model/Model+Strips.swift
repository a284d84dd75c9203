import Monitoring

extension Model {
    /// Performs an action in the strips. The arrows move between targets and along the slices; other actions are those of
    /// the table.
    mutating func performInStrips(_ action: Action) -> [Effect] {
        let view = StripsView(model: shown)
        let targets = list.order.positions
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last:
            guard let index = view.index else { return [] }
            let page = max(1, view.layout.list.rows - 1)
            let next = moved(index, by: action, count: targets.count, page: page)
            selection.select(.target(shownRoster.states[targets[next]].id))
        case .fold, .unfold:
            moveSlice(forward: action == .unfold, on: view.axis)
        case .lengthenSpan, .shortenSpan:
            strips.changeSpan(isLonger: action == .lengthenSpan)
        case .previousEvent, .nextEvent:
            moveToOutage(forward: action == .nextEvent, in: view)
        default:
            return performInTable(action)
        }
        return []
    }

    /// Selects the slice before or after the selected one; after the newest one, all slices.
    private mutating func moveSlice(forward isForward: Bool, on axis: StripAxis) {
        let selected = strips.cursor.flatMap { axis.index(of: $0) } ?? axis.count
        let next = max(0, selected + (isForward ? 1 : -1))
        guard axis.count > 0, next <= axis.count else { return }
        strips.select(next == axis.count ? nil : axis.slice(next))
    }

    /// Selects the slice of the previous or next outage of the selected target.
    private mutating func moveToOutage(forward isForward: Bool, in view: StripsView) {
        let axis = view.axis
        let slice = view.slice ?? axis.end..<axis.end
        let outages = view.selectedRow?.outages(in: nil) ?? []
        // They are newest first.
        let found =
            isForward
            ? outages.last { $0.start >= slice.upperBound }
            : outages.first { max($0.start, axis.start) < slice.lowerBound }
        guard let found, let index = axis.index(of: max(found.start, axis.start)) else {
            return showStatus(isForward ? "no later outage" : "no earlier outage")
        }
        strips.select(axis.slice(index))
    }

    /// Scrolls so that the selected row is visible, and keeps the selected slice in the period.
    mutating func reconcileStrips() {
        guard navigation.overview == .strips else { return }
        let view = StripsView(model: shown)
        strips.reconcile(with: view.axis)
        strips.reveal(row: view.index ?? 0, of: list.order.positions.count, height: max(1, view.layout.list.rows))
    }
}
