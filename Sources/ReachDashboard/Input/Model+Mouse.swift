import ReachMonitoring
import ReachScreen

extension Model {
    /// The number of lines that a step of the wheel scrolls.
    private static let wheelStep = 3

    /// Turns the mouse on or off. While it is on, the terminal selects text only with shift.
    mutating func toggleMouse() -> [Effect] {
        isMouseOn.toggle()
        showStatus(isMouseOn ? "mouse on: hold shift to select text" : "mouse off")
        return [.mouse(isMouseOn)]
    }

    /// Handles a mouse event.
    ///
    /// * A click on a key of the footer presses it; on a count of the header, it filters.
    /// * A click on a row selects it; on the selected row, it opens the target. A click on a strip selects the slice too.
    /// * A click on a column heading sorts by that column; in the list of columns, a click shows or hides one.
    /// * A step of the wheel acts like three presses of an arrow key; in the detail view, it scrolls.
    mutating func pressMouse(_ key: Key) -> [Effect] {
        switch key {
        case .wheelUp: return turnWheel(.up)
        case .wheelDown: return turnWheel(.down)
        case .click(let position):
            if let link = footerLink(at: position) ?? headerLink(at: position) { return follow(link) }
            return navigation.helpScroll == nil ? click(at: position) : []
        default: return []
        }
    }

    private mutating func turnWheel(_ action: Action) -> [Effect] {
        staleness = .urgent
        status = nil
        return (0..<Self.wheelStep).flatMap { _ in
            guard navigation.helpScroll == nil else { return perform(action) }
            switch navigation.view {
            case .detail(let viewState): scroll(viewState, by: action)
            case .path(let viewState): scroll(viewState, by: action)
            default: return perform(action)
            }
            return []
        }
    }

    /// The link at a position of the footer.
    func footerLink(at position: Position) -> Segment.Link? {
        FooterView(model: self).link(at: position, in: areas.footer)
    }

    private func headerLink(at position: Position) -> Segment.Link? {
        HeaderView(model: self).link(at: position, in: areas.header)
    }

    private mutating func follow(_ link: Segment.Link) -> [Effect] {
        switch link {
        case .key(let key):
            return press(key)
        case .filter(let text):
            status = nil
            staleness = .urgent
            let isClearing = navigation.isAtOverview && list.filter.text == text
            navigation.show(navigation.overview)
            filter(by: Filter(isClearing ? "" : text))
            return []
        }
    }

    private mutating func click(at position: Position) -> [Effect] {
        switch navigation.view {
        case .table:
            let (body, headings) = (areas.list, areas.headings)
            if body.contains(position) {
                let (rows, line) = (rows, position.row - body.row)
                let index = TableView(model: self).row(atLine: line, of: body.rows)
                if index < rows.count { activate(rows[index].id) }
            } else if headings.contains(position) {
                let column = TableView(model: self).column(at: position.column)
                if let wanted = column?.sort {
                    list.sort(by: wanted)
                    showSorted()
                }
            }
        case .wall:
            let layout = WallView(model: self)
            if let cell = layout.cell(at: position) {
                // If the selected target is in the cell, it stays selected.
                let states = shownRoster.states
                let isSelected = cell.targets.contains { .target(states[$0].id) == selection.id }
                activate(isSelected ? selection.id : .target(states[cell.position].id))
            }
        case .graphs:
            if let target = GraphsView(model: self).target(at: position) { activate(.target(target)) }
        case .strips:
            if let (id, slice) = StripsView(model: self).row(at: position) {
                if let slice {
                    selection.select(id)
                    strips.select(slice)
                } else {
                    activate(id)
                }
            }
        case .vantagePoints:
            if let row = vantageRow(at: position) { activate(row.id) }
        case .hooks(let viewState):
            return click(atLine: position.row - areas.headings.row - 1, in: viewState)
        case .paths:
            return clickInPaths(atLine: position.row - areas.list.row)
        case .events(let viewState):
            return clickInEvents(atRow: position.row - areas.headings.row - 1, viewState)
        case .detail, .path, .comparison:
            break
        }
        return []
    }

    /// Selects a row. If it is selected already, opens the target or toggles the folding of the group.
    private mutating func activate(_ id: Row.ID?) {
        status = nil
        staleness = .urgent
        guard id == selection.id else {
            selection.select(id)
            return
        }
        switch id {
        case .target: openSelected()
        case .group(let name): toggleFolded(name)
        case nil: break
        }
    }

    /// Selects a hook run. If it is selected already, opens its output.
    private mutating func click(atLine line: Int, in viewState: HooksViewState) -> [Effect] {
        let (rows, index) = (shown.hookRows(of: viewState.targets), viewState.scroll + line)
        guard viewState.outputScroll == nil, (0..<HooksView.listHeight(in: areas)).contains(line), index < rows.count
        else { return [] }
        status = nil
        staleness = .urgent
        guard index != viewState.index else { return perform(.open, in: viewState) }
        var viewState = viewState
        (viewState.index, viewState.selection) = (index, rows[index].id)
        navigation.open(.hooks(viewState))
        return []
    }
}
