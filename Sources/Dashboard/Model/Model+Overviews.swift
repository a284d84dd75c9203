import Monitoring

extension Model {
    /// Performs an action in the wall. The arrows move along its cells; other actions are those of the table.
    mutating func performInWall(_ action: Action) -> [Effect] {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last, .fold, .unfold:
            let layout = WallView(model: shown).layout
            guard case .target(let id) = selection.id,
                let cell = shownRoster.position(of: id).flatMap(layout.cellPosition)
            else { return [] }
            let next = layout.moved(cell, by: action)
            let states = shownRoster.states
            // A cell shows the worst of its targets, so that one is selected.
            if next != cell, let cell = WallCell(layout.targets(at: next), of: states.targetSummaries) {
                selection.select(.target(states[cell.position].id))
            }
            return []
        default:
            return performInTable(action)
        }
    }

    /// Performs an action in the graphs. The arrows move in their grid; other actions are those of the table.
    mutating func performInGraphs(_ action: Action) -> [Effect] {
        let view = GraphsView(model: shown)
        let (grid, targets) = (view.grid, list.order.positions)
        guard let index = view.index else { return performInTable(action) }
        let page = grid.columns * grid.lines
        let wanted: Int? =
            switch action {
            case .fold: index - 1
            case .unfold: index + 1
            case .up: index < grid.columns ? nil : index - grid.columns
            // From above a gap in the last line, the selection moves to the end of that line.
            case .down: index / grid.columns == (targets.count - 1) / grid.columns ? nil : index + grid.columns
            case .pageUp: index - page
            case .pageDown: index + page
            case .first: 0
            case .last: targets.count - 1
            default: nil
            }
        if let wanted {
            let position = targets[max(0, min(targets.count - 1, wanted))]
            selection.select(.target(shownRoster.states[position].id))
        }
        switch action {
        case .fold, .unfold, .up, .down, .pageUp, .pageDown, .first, .last:
            return []
        case .lengthenSpan, .shortenSpan:
            graphs.changeSpan(isLonger: action == .lengthenSpan)
            return []
        default:
            return performInTable(action)
        }
    }

    /// Scrolls so that the selected graph is visible.
    mutating func reconcileGraphs() {
        guard navigation.overview == .graphs else { return }
        let view = GraphsView(model: shown)
        let columns = view.grid.columns
        let lines = (list.order.positions.count + columns - 1) / columns
        graphs.reveal(line: (view.index ?? 0) / columns, of: lines, height: view.grid.lines)
    }
}
