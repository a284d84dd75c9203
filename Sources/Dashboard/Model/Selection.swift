/// The selected row; it stays selected when sorting, folding or a reload moves it.
struct Selection: Sendable {
    /// The selected row; nil where there are no rows.
    private(set) var id: Row.ID?
    /// The index of the selected row, for when it goes away.
    private(set) var index = 0
    /// The first row of the table that is shown.
    private(set) var scroll = 0

    mutating func select(_ id: Row.ID?) {
        self.id = id
    }

    mutating func select(_ index: Int, of rows: [Row]) {
        self.index = index
        id = rows[index].id
    }

    /// The index of the selected row; nil when it is not there.
    func index(in rows: [Row]) -> Int? {
        guard let id else { return nil }
        // It rarely moves.
        if rows.indices.contains(index), rows[index].id == id { return index }
        return rows.firstIndex { $0.id == id }
    }

    /// Keeps the selection on a row that exists, and on the screen.
    ///
    /// - Parameters:
    ///   - substitute: the index to select when the selected row is hidden.
    ///   - hasHeads: whether the heads of groups can be selected; each is followed by its first target.
    ///   - height: how many rows are shown.
    mutating func settle(on rows: [Row], substitute: Int?, hasHeads: Bool, height: Int) {
        guard !rows.isEmpty else {
            id = nil
            scroll = 0
            return
        }
        var index =
            index(in: rows) ?? substitute ?? (id == nil ? Self.firstTarget(of: rows) : min(index, rows.count - 1))
        if !hasHeads, case .group = rows[index] { index += 1 }
        select(index, of: rows)
        scroll = min(scroll, index, max(0, rows.count - height))
        if index >= scroll + height { scroll = index - height + 1 }
        // The head of the first group is worth a line when its first target is selected.
        if scroll == 1, index < height { scroll = 0 }
    }

    private static func firstTarget(of rows: [Row]) -> Int {
        rows.firstIndex { row in
            if case .target = row { true } else { false }
        } ?? 0
    }
}
