import ReachMonitoring
import ReachScreen

extension Model {
    /// Performs an action in the wall. The arrows move along its cells; other actions are those of the table.
    mutating func performInWall(_ action: Action) -> [Effect] {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last, .fold, .unfold:
            let layout = WallView(model: self).layout
            guard case .target(let id) = selection.id,
                let cell = shownRoster.position(of: id).flatMap(layout.cellPosition)
            else { return [] }
            let next = layout.moved(cell, by: action)
            let states = shownRoster.states
            // A cell shows the worst of its targets, so that one is selected.
            let targets = layout.targets(at: next)
            if next != cell, let cell = WallCell(targets, of: states.targetSummaries, scale: wallState.scale) {
                selection.select(.target(states[cell.position].id))
            }
            return []
        case .nextForm:
            showNextForm()
            return []
        default:
            return performInTable(action)
        }
    }

    /// Performs an action in the graphs. The arrows move in their grid; other actions are those of the table.
    mutating func performInGraphs(_ action: Action) -> [Effect] {
        let view = GraphsView(model: self)
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
            changeGraphSpan(isLonger: action == .lengthenSpan)
            return []
        default:
            return performInTable(action)
        }
    }

    /// Selects the next longer or shorter time of the graphs.
    mutating func changeGraphSpan(isLonger: Bool) {
        if !graphs.changeSpan(isLonger: isLonger) { showLimit(of: graphs.span, isLonger: isLonger) }
    }

    /// Scrolls so that the selected graph is visible.
    mutating func reconcileGraphs() {
        guard navigation.overview == .graphs else { return }
        let view = GraphsView(model: self)
        let columns = view.grid.columns
        let lines = (list.order.positions.count + columns - 1) / columns
        graphs.reveal(line: (view.index ?? 0) / columns, of: lines, height: view.grid.lines)
    }
}

extension Model {
    /// Performs an action in the strips. The arrows move between rows and along the slices; other actions are those of the
    /// table.
    mutating func performInStrips(_ action: Action) -> [Effect] {
        let view = StripsView(model: self)
        switch action {
        case .fold, .unfold:
            moveSlice(forward: action == .unfold, on: view.axis)
        case .nextSort:
            list.sortByNext(of: [.name, .health, .availability])
            showSorted()
        case .lengthenSpan, .shortenSpan:
            let isLonger = action == .lengthenSpan
            if !strips.changeSpan(isLonger: isLonger) { showLimit(of: strips.span, isLonger: isLonger) }
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

    /// Keeps the selected slice in the period.
    mutating func reconcileStrips() {
        guard navigation.overview == .strips else { return }
        strips.reconcile(with: StripsView(model: self).axis)
    }
}

extension Model {
    /// Performs an action in the matrix of vantage points. The arrows scroll it sideways; other actions are those of the
    /// table.
    mutating func performInVantagePoints(_ action: Action) -> [Effect] {
        switch action {
        case .fold, .unfold:
            let view = VantageView(model: self)
            // From where the layout begins, which is not beyond the last columns.
            let step = view.layout.first - vantage.first + (action == .fold ? -1 : 1)
            vantage.scroll(by: step, shown: view.layout.cells.count, of: view.count)
            return []
        default:
            return performInTable(action)
        }
    }

    /// The number of rows for targets in the table, the strips and the matrix of vantage points.
    var listHeight: Int {
        if navigation.overview == .strips { return max(1, StripsView(model: self).layout.list.rows) }
        let list = areas.list
        let caption = navigation.overview == .vantagePoints ? VantageView.captionRows(of: list) : 0
        return max(1, list.rows - caption)
    }

    /// The row at a position of the matrix; nil if there is none.
    func vantageRow(at position: Position) -> Row? {
        let (line, height) = (position.row - areas.list.row, listHeight)
        guard (0..<height).contains(line), !roster.vantage.isEmpty else { return nil }
        let index = TableView(model: self).row(atLine: line, of: height)
        return index < rows.count ? rows[index] : nil
    }
}
