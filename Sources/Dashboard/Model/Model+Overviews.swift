import Monitoring

extension Model {
    /// Does what a key means in the wall: the arrows move along its cells, everything else is as in the table.
    mutating func performInWall(_ action: Action) -> [Effect] {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last, .fold, .unfold:
            let layout = WallView(model: shown).layout
            guard case .target(let id) = selection, let place = layout.place(of: id) else { return [] }
            let next = layout.moved(place, by: action)
            // A cell shows the worst of its targets, so that is the one to say more of.
            if next != place, let cell = WallCell(layout.targets(at: next)) { selection = .target(cell.worst.id) }
            return []
        default:
            return performInTable(action)
        }
    }

    /// Does what a key means in the graphs.
    mutating func performInGraphs(_ action: Action) -> [Effect] {
        performInTable(action)
    }
}
