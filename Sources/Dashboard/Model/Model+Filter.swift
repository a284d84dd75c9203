import Monitoring

extension Model {
    /// Filters the targets. The selection stays on its target if that matches, and moves to the first match otherwise.
    /// Without a filter, the selection is again the one from before it.
    mutating func filter(by filter: Filter) {
        if list.filter.isEmpty { selectionBeforeFilter = selection }
        list.filter(by: filter)
        guard !filter.isEmpty else {
            selection = selectionBeforeFilter
            return
        }
        updateRows()
        selection.selectTarget(of: rows, or: selectionBeforeFilter.id)
    }

    /// The problem of the filter in the prompt.
    ///
    /// - Parameter isTyping: whether to ignore a word that is only unfinished.
    func filterProblem(whileTyping isTyping: Bool) -> String? {
        list.filter.problem(whileTyping: isTyping)
    }

    /// Shows only the targets of a group; esc shows all again.
    mutating func openGroup(_ name: String?) {
        // One of the fleet with targets that are only counted is read as a whole.
        _ = fleet.open(name)
        filter(by: list.filter.restricted(toGroup: name))
    }
}
