/// The selected row and the scroll position. The row stays selected when sorting, folding or a reload moves it.
struct Selection: Sendable, Hashable {
    /// The selected row; nil if there are no rows.
    private(set) var id: Row.ID?
    /// The index of the selected row, used when that row disappears.
    private(set) var index = 0
    /// The first visible row of the table. If it is a target, the heading of its group is shown in its place.
    private(set) var scroll = 0

    /// The fewest visible rows with which a heading is shown in place of a target.
    static let leastRowsWithHeading = 4

    mutating func select(_ id: Row.ID?) {
        self.id = id
    }

    mutating func select(_ index: Int, of rows: [Row]) {
        self.index = index
        id = rows[index].id
    }

    /// Scrolls to the top. A selected row that is not visible there gives way to the first target.
    mutating func showTop(of rows: [Row], height: Int) {
        scroll = 0
        if let index = index(in: rows), index >= height { id = rows.first { $0.id.isTarget }?.id ?? id }
    }

    /// Selects a target of new rows: the selected one if it is there, or else `other`, or else the first one.
    mutating func selectTarget(of rows: [Row], or other: Row.ID?) {
        id = [id, other].lazy.compactMap(\.self).first { id in id.isTarget && rows.contains { $0.id == id } }
    }

    /// The index of the selected row; nil if it does not exist.
    func index(in rows: [Row]) -> Int? {
        guard let id else { return nil }
        // The fast path: the row rarely moves.
        if rows.indices.contains(index), rows[index].id == id { return index }
        return rows.firstIndex { $0.id == id }
    }

    /// Moves the selection to an existing row, and scrolls so that it is visible.
    ///
    /// - Parameters:
    ///   - substitute: the index to select if the selected row is hidden.
    ///   - hasHeadings: whether group headings can be selected; each is followed by its first target.
    ///   - height: the number of visible rows.
    mutating func reconcile(with rows: [Row], substitute: Int?, hasHeadings: Bool, height: Int) {
        guard !rows.isEmpty else {
            id = nil
            scroll = 0
            return
        }
        let found = index(in: rows) ?? substitute
        var index = found ?? (id == nil ? Self.firstTarget(of: rows) : min(index, rows.count - 1))
        // If the selected target is gone, the next one is selected, not the heading before it.
        let skipsHeading = found == nil && id?.isTarget == true
        if case .group(_, _, let isFolded) = rows[index], !hasHeadings || skipsHeading && !isFolded { index += 1 }
        select(index, of: rows)
        scroll = min(scroll, index, max(0, rows.count - height))
        let hasGroups = !rows[0].id.isTarget
        if hasGroups, rows[index].id.isTarget, height >= Self.leastRowsWithHeading { scroll = min(scroll, index - 1) }
        if index >= scroll + height { scroll = index - height + 1 }
        // Show the heading of the first group when its first target is selected.
        if scroll == 1, index < height { scroll = 0 }
    }

    private static func firstTarget(of rows: [Row]) -> Int {
        rows.firstIndex { $0.id.isTarget } ?? 0
    }
}
