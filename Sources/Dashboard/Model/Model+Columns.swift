import Monitoring
import Screen

extension Model {
    /// Opens the list of columns, above the events of the table.
    mutating func openColumns() {
        navigation.show(.table)
        columns.open()
    }

    /// Handles a key while the list of columns is open.
    mutating func press(_ key: Key, inColumnsAt index: Int) -> [Effect] {
        if case .click(let position) = key { return click(inColumnsAt: position) }
        let perLine = ColumnListView(model: self).perLine
        let oldStatus = status
        status = nil
        switch key {
        case .enter, .escape, .character("C"), .character("q"), .control("c"):
            columns.close()
        case .character(" "):
            toggleColumn()
        case .left, .character("h"): columns.select(index - 1)
        case .right, .character("l"): columns.select(index + 1)
        case .up, .character("k"): columns.select(index < perLine ? index : index - perLine)
        case .down, .character("j"):
            let isLastLine = index / perLine == (columns.order.count - 1) / perLine
            columns.select(isLastLine ? index : index + perLine)
        case .home, .character("g"): columns.select(0)
        case .end, .character("G"): columns.select(.max)
        case .character("<"): columns.move(forward: false)
        case .character(">"): columns.move(forward: true)
        case .character("W"):
            staleness = .urgent
            return write()
        case .character("y"):
            staleness = .urgent
            showStatus("copied the line of the settings, if the terminal allows it")
            return [.copy(columns.settingsLine.joined(separator: " "))]
        default:
            status = oldStatus
            return []
        }
        staleness = .urgent
        return []
    }

    /// Shows or hides the column at a position, or presses the key of the footer there.
    private mutating func click(inColumnsAt position: Position) -> [Effect] {
        if case .key(let key)? = footerLink(at: position) { return press(key) }
        guard let index = ColumnListView(model: self).index(at: position, in: areas.events) else { return [] }
        staleness = .urgent
        status = nil
        columns.select(index)
        toggleColumn()
        return []
    }

    /// Shows or hides the selected column.
    private mutating func toggleColumn() {
        guard !columns.toggle(), let index = columns.index else { return }
        showStatus("\(columns.order[index].rawValue) is always shown")
    }
}
