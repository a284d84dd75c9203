import Monitoring

extension Model {
    /// Does what a key means in the wall: the arrows move along its cells, everything else is as in the table.
    mutating func performInWall(_ action: Action) -> [Effect] {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last, .fold, .unfold:
            let layout = WallView(model: shown).layout
            guard case .target(let id) = selection, let place = shownRoster.position(of: id).flatMap(layout.place)
            else { return [] }
            let next = layout.moved(place, by: action)
            let standings = shownRoster.standings
            // A cell shows the worst of its targets, so that is the one to say more of.
            if next != place, let cell = WallCell(layout.targets(at: next), of: standings.glances) {
                selection = .target(standings[cell.position].id)
            }
            return []
        default:
            return performInTable(action)
        }
    }

    /// Does what a key means in the graphs: the arrows move in their grid, everything else is as in the table.
    mutating func performInGraphs(_ action: Action) -> [Effect] {
        let view = GraphsView(model: shown)
        let (grid, targets) = (view.grid, arrangement.order)
        guard let index = view.index else { return performInTable(action) }
        let page = grid.columns * grid.lines
        let wanted: Int? =
            switch action {
            case .fold: index - 1
            case .unfold: index + 1
            case .up: index < grid.columns ? nil : index - grid.columns
            // From above a gap in the last line, to the end of it.
            case .down: index / grid.columns == (targets.count - 1) / grid.columns ? nil : index + grid.columns
            case .pageUp: index - page
            case .pageDown: index + page
            case .first: 0
            case .last: targets.count - 1
            default: nil
            }
        if let wanted {
            let position = targets[max(0, min(targets.count - 1, wanted))]
            selection = .target(shownRoster.standings[position].id)
        }
        switch action {
        case .fold, .unfold, .up, .down, .pageUp, .pageDown, .first, .last:
            return []
        case .lengthenSpan, .shortenSpan:
            changeSpan(isLonger: action == .lengthenSpan)
            return []
        default:
            return performInTable(action)
        }
    }

    /// Takes the next longer or shorter time span of the charts.
    mutating func changeSpan(isLonger: Bool) {
        let index = TimeAxis.spans.firstIndex(of: span) ?? 0
        span = TimeAxis.spans[max(0, min(TimeAxis.spans.count - 1, index + (isLonger ? 1 : -1)))]
    }

    /// Keeps the selected graph on the screen.
    mutating func settleGraphs() {
        guard overview == .graphs else { return }
        let view = GraphsView(model: shown)
        let line = (view.index ?? 0) / view.grid.columns
        let lines = (arrangement.order.count + view.grid.columns - 1) / view.grid.columns
        graphScroll = max(0, min(graphScroll, line, lines - view.grid.lines))
        if line >= graphScroll + view.grid.lines { graphScroll = line - view.grid.lines + 1 }
    }
}
