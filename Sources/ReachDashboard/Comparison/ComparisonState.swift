import ReachMonitoring

/// The targets that the user has marked for a comparison, in the order of marking.
struct ComparisonState: Sendable {
    private(set) var marked: [Target.ID] = []

    /// The number of targets that can be compared: a chart of more lines is hard to read.
    static let limit = 4

    /// Marks a target, or removes its mark.
    ///
    /// - Returns: Whether it did; not if there are as many as can be compared.
    mutating func toggle(_ target: Target.ID) -> Bool {
        if let index = marked.firstIndex(of: target) {
            marked.remove(at: index)
        } else if marked.count < Self.limit {
            marked.append(target)
        } else {
            return false
        }
        return true
    }

    /// Removes the marks of targets that no longer exist.
    mutating func reconcile(hasTarget: (Target.ID) -> Bool) {
        if !marked.isEmpty { marked = marked.filter(hasTarget) }
    }
}

extension Model {
    /// Marks the selected target for a comparison, or removes its mark.
    mutating func toggleMark() {
        guard let state = selectedTarget else { return showStatus("select a target to mark it") }
        guard comparison.toggle(state.id) else {
            return showStatus("at most \(ComparisonState.limit) targets can be compared – V compares them")
        }
        let name = state.target.label
        guard comparison.marked.contains(state.id) else { return showStatus("\(name) not marked any more") }
        let next = comparison.marked.count == 1 ? "v marks another, V compares them" : "V compares them"
        showStatus("\(comparison.marked.count) marked: \(next)")
    }

    /// Shows the marked targets in one chart; with a single one, that and the selected target.
    mutating func compare() {
        if comparison.marked.count == 1, let selected = selectedTarget, !comparison.marked.contains(selected.id) {
            _ = comparison.toggle(selected.id)
        }
        guard comparison.marked.count > 1 else { return showStatus("nothing to compare – mark two targets with v") }
        navigation.open(.comparison)
    }

    /// Performs an action while targets are compared.
    mutating func performInComparison(_ action: Action) -> [Effect] {
        switch action {
        case .lengthenSpan, .shortenSpan: changeGraphSpan(isLonger: action == .lengthenSpan)
        case .compare: _ = navigation.back()
        default: break
        }
        return []
    }

    /// Removes the marks of targets that no longer exist, and closes a comparison with less than two.
    mutating func reconcileComparison() {
        let roster = shownRoster
        comparison.reconcile { roster[$0] != nil }
        if navigation.view == .comparison, comparison.marked.count < 2 { navigation.open(navigation.overview) }
    }
}
