import Monitoring
import Screen

extension Model {
    /// How many lines a step of the wheel goes.
    private static let wheelStep = 3

    /// Turns the mouse on or off. While it is on, the terminal does not select text by itself.
    mutating func toggleMouse() -> [Effect] {
        isMouseOn.toggle()
        say(isMouseOn ? "mouse on: hold shift to select text" : "mouse off")
        return [.mouse(isMouseOn)]
    }

    /// Handles the mouse: a click selects, or sorts by a heading; on the selected row it opens the target; a step of the
    /// wheel is a few presses of an arrow.
    mutating func pressMouse(_ key: Key) -> [Effect] {
        switch key {
        case .wheelUp: return (0..<Self.wheelStep).flatMap { _ in press(.up) }
        case .wheelDown: return (0..<Self.wheelStep).flatMap { _ in press(.down) }
        case .click(let position) where navigation.helpScroll == nil: return click(at: position)
        default: return []
        }
    }

    private mutating func click(at position: Position) -> [Effect] {
        switch navigation.view {
        case .table:
            let (body, headings) = (areas.list, areas.headings)
            if body.contains(position) {
                let (rows, index) = (rows, selection.scroll + position.row - body.row)
                if index < rows.count { point(at: rows[index].id) }
            } else if headings.contains(position) {
                let column = TableView(model: shown, width: size.columns).column(at: position.column)
                if let wanted = column?.sort {
                    list.sort(by: wanted)
                    say(list.sortSummary)
                }
            }
        case .wall:
            let layout = WallView(model: shown)
            if let cell = layout.cell(at: position) {
                // Of the targets of a cell, the selected one stays it.
                let standings = shownRoster.standings
                let isSelected = cell.targets.contains { .target(standings[$0].id) == selection.id }
                point(at: isSelected ? selection.id : .target(standings[cell.position].id))
            }
        case .graphs:
            if let target = GraphsView(model: shown).target(at: position) { point(at: .target(target)) }
        case .hooks(let place):
            return click(atLine: position.row - areas.headings.row - 1, in: place)
        case .detail, .events:
            break
        }
        return []
    }

    /// Selects a row; when it is selected already, opens the target, or folds the group.
    private mutating func point(at id: Row.ID?) {
        status = nil
        staleness = .urgent
        guard id == selection.id else {
            selection.select(id)
            return
        }
        switch id {
        case .target: openDetail()
        case .group(let name): list.toggleFolded(name)
        case nil: break
        }
    }

    /// Selects a hook run; when it is selected already, opens its output.
    private mutating func click(atLine line: Int, in place: HooksPlace) -> [Effect] {
        let (rows, index) = (hookRows(of: place.targets), place.scroll + line)
        guard place.outputScroll == nil, (0..<HooksView.listHeight(of: self)).contains(line), index < rows.count
        else { return [] }
        status = nil
        staleness = .urgent
        guard index != place.index else { return perform(.open, in: place) }
        var place = place
        (place.index, place.selection) = (index, rows[index].id)
        navigation.open(.hooks(place))
        return []
    }
}
