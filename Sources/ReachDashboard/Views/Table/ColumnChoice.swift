import ReachMonitoring
import ReachScreen

/// The columns of the table: which ones are shown and in which order, and the selection in the list of columns.
struct ColumnChoice: Sendable {
    /// All columns in their order, shown or not.
    private(set) var order: [TableColumn]
    private var hidden: Set<TableColumn> = []
    /// The columns of the settings that were applied last.
    private var settings: [TableColumn] = []
    /// The index of the selected column in ``order``; nil while the list is closed.
    private(set) var index: Int?

    init() {
        order = []
        apply(TableColumn.standard)
    }

    /// The shown columns, from left to right.
    var shown: [TableColumn] { order.filter { !hidden.contains($0) } }

    func isShown(_ column: TableColumn) -> Bool { !hidden.contains(column) }

    /// Whether the shown columns differ from the settings.
    var isChanged: Bool { shown != settings }

    /// The line of the settings that keeps this choice.
    var settingsLine: [String] {
        let names = shown.map { "\"\($0.rawValue)\"" }
        return names.enumerated().map { index, name in
            (index == 0 ? "columns = [" : "") + name + (index == names.count - 1 ? "]" : ",")
        }
    }

    /// Shows the columns of the settings. If the settings choose the same as before, the user's choice stays.
    mutating func apply(_ columns: [TableColumn]) {
        guard columns != settings else { return }
        settings = columns
        guard columns != shown else { return }
        hidden = Set(TableColumn.allCases).subtracting(columns)
        order = columns
        // A hidden column is listed after the one that precedes it by default.
        for (number, column) in TableColumn.allCases.enumerated() where hidden.contains(column) {
            let before = TableColumn.allCases[..<number].last.flatMap { order.firstIndex(of: $0) }
            order.insert(column, at: before.map { $0 + 1 } ?? 0)
        }
    }

    /// Opens the list of columns, at the first one.
    mutating func open() {
        index = 0
    }

    mutating func close() {
        index = nil
    }

    /// Selects a column of the list.
    mutating func select(_ wanted: Int) {
        index = max(0, min(order.count - 1, wanted))
    }

    /// Shows or hides the selected column.
    ///
    /// - Returns: Whether that is possible: name and health are always shown.
    mutating func toggle() -> Bool {
        guard let index, !order[index].isRequired else { return false }
        hidden.formSymmetricDifference([order[index]])
        return true
    }

    /// Moves the selected column by one position.
    mutating func move(forward isForward: Bool) {
        guard let index else { return }
        let other = index + (isForward ? 1 : -1)
        guard order.indices.contains(other) else { return }
        order.swapAt(index, other)
        self.index = other
    }
}

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

/// The list of columns, in place of the events: a mark before each that is shown, and the line of the settings that keeps
/// the choice.
///
/// ```
/// Columns ───────────────────────────────────────────────────────
/// ▸[x] name     [ ] group    [x] url      [ ] address  [x] health
///  [x] last     [ ] min      [ ] mean     [x] p95      [ ] max
///  the name of the target, always shown
///  columns = ["name", "url", "health", "last", "p95"]
/// ```
struct ColumnListView: View {
    private let appearance: Appearance
    private let choice: ColumnChoice
    /// The columns of the screen.
    private let width: Int

    init(model: Model) {
        (appearance, choice, width) = (model.appearance, model.columns, model.size.columns)
    }

    /// The keys of the list, for the footer.
    static let hints = [
        FooterView.Hint(name: "space", text: "show or hide", key: .character(" ")),
        FooterView.Hint(name: "<>", text: "move"),
        FooterView.Hint(name: "y", text: "copy the line", key: .character("y")),
        FooterView.Hint(name: "W", text: "write it", key: .character("W")),
        FooterView.Hint(name: "esc", text: "back", key: .escape),
    ]

    /// The width of a column's mark and name, with the blanks around it.
    private static let cellWidth = 6 + (TableColumn.allCases.map(\.rawValue.count).max() ?? 0)

    /// The number of columns in a line of the list.
    var perLine: Int { max(1, (width - 1) / Self.cellWidth) }

    /// The number of lines of marks and names.
    private var lineCount: Int { (choice.order.count + perLine - 1) / perLine }

    /// The number of lines of the heading, the list, and the texts below.
    var height: Int { 1 + lineCount + 1 + settingsLines.count }

    /// The line of the settings, broken between two columns where it is too long. An array of the settings may have
    /// several lines.
    private var settingsLines: [String] {
        let available = max(8, width - 2)
        return choice.settingsLine.reduce(into: []) { lines, part in
            if let last = lines.last, last.displayWidth + 1 + part.displayWidth <= available {
                lines[lines.count - 1] = "\(last) \(part)"
            } else {
                lines.append(part)
            }
        }
    }

    /// Returns the area of the marks and names, and the first visible line of them. In a low terminal, the heading is
    /// omitted first, then the texts below.
    private func list(in area: Area, selecting index: Int) -> (area: Area, scroll: Int) {
        var list = area
        if hasHeading(in: area) {
            list.row += 1
            list.rows -= 1
        }
        list.rows -= max(0, min(1 + settingsLines.count, list.rows - lineCount))
        return (list, max(0, min(index / perLine - list.rows / 2, lineCount - list.rows)))
    }

    private func hasHeading(in area: Area) -> Bool { area.rows > 3 }

    /// The index of the column at a screen position; the blanks after a name belong to it.
    func index(at position: Position, in area: Area) -> Int? {
        guard let selected = choice.index else { return nil }
        let (list, scroll) = list(in: area, selecting: selected)
        let cell = position.column / Self.cellWidth
        guard list.contains(position), cell < perLine else { return nil }
        let index = (scroll + position.row - list.row) * perLine + cell
        return choice.order.indices.contains(index) ? index : nil
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, let index = choice.index else { return }
        frame.clear(area)
        if hasHeading(in: area) { frame.writeHeading("Columns", in: area, appearance: appearance) }
        let (list, scroll) = list(in: area, selecting: index)
        let below = area.row + area.rows - list.row - list.rows
        let texts = texts(of: choice.order[index]).prefix(below)
        for (number, column) in choice.order.enumerated() {
            let line = number / perLine - scroll
            guard (0..<list.rows).contains(line) else { continue }
            let position = Position(column: number % perLine * Self.cellWidth, row: list.row + line)
            draw(column, isSelected: number == index, at: position, on: &frame)
        }
        frame.writeScrollMarks(scroll..<min(lineCount, scroll + list.rows), of: lineCount, in: list, appearance)
        for (offset, text) in texts.enumerated() {
            frame.write(
                [text],
                at: Position(column: 1, row: list.row + min(lineCount, list.rows) + offset),
                limit: area.columns - 2,
                ellipsis: appearance.glyphs.ellipsis
            )
        }
    }

    /// The description of the selected column, and the line of the settings.
    private func texts(of column: TableColumn) -> [Segment] {
        let summary = column.summary + (column.isRequired ? ", always shown" : "")
        return [Segment(summary, appearance[.faint])] + settingsLines.map { Segment($0, appearance[.text]) }
    }

    private func draw(_ column: TableColumn, isSelected: Bool, at position: Position, on frame: inout Frame) {
        let isShown = choice.isShown(column)
        let role: Role = column.isRequired || !isShown ? .faint : .text
        frame.write(
            [
                Segment(isSelected ? String(appearance.glyphs.selection) : " ", appearance[.text]),
                Segment(isShown ? "[x] " : "[ ] ", appearance[role]),
                Segment(column.rawValue, isSelected ? Style(nil, .reversed) : appearance[role]),
            ],
            at: position,
            limit: width - position.column,
            ellipsis: appearance.glyphs.ellipsis
        )
    }
}
