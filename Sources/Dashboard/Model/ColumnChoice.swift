import Monitoring

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

    /// Whether the shown columns are others than those of the settings.
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

    /// Moves the selected column by one place.
    mutating func move(forward isForward: Bool) {
        guard let index else { return }
        let other = index + (isForward ? 1 : -1)
        guard order.indices.contains(other) else { return }
        order.swapAt(index, other)
        self.index = other
    }
}
