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

    /// Takes what the mouse did: a click selects a row or sorts by a heading, the wheel is the arrows a few times over.
    mutating func takeMouse(_ key: Key) -> [Effect] {
        switch key {
        case .wheelUp: return (0..<Self.wheelStep).flatMap { _ in take(.up) }
        case .wheelDown: return (0..<Self.wheelStep).flatMap { _ in take(.down) }
        case .click(let position) where helpScroll == nil && view == .table: clickTable(at: position)
        default: break
        }
        return []
    }

    private mutating func clickTable(at position: Position) {
        let (list, headings) = (areas.list, areas.headings)
        if (list.row..<list.row + list.rows).contains(position.row) {
            let (rows, index) = (rows, scroll + position.row - list.row)
            guard index < rows.count else { return }
            selection = rows[index].id
            status = nil
            staleness = .urgent
        } else if (headings.row..<headings.row + headings.rows).contains(position.row) {
            let column = TableView(model: self, width: size.columns).column(at: position.column)
            guard let wanted = column?.sort else { return }
            isReversed = wanted == sort && !isReversed
            sort = wanted
            say("sorted by \(sort.name)\(isReversed ? ", reversed" : "")")
        }
    }
}
