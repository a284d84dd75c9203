import Monitoring

extension Model {
    /// The rows of the table, from the first to the last, whether seen or not. The wall and the graphs show the same
    /// targets, but fold nothing.
    var rows: [Row] { arrangement.rows }

    /// How often the order follows figures that change with every answer: rows that jump all the time cannot be read.
    private static let reordering = Duration.seconds(1)

    /// Puts the targets in order again, if anything that the order depends on has changed.
    mutating func arrange() {
        let roster = shownRoster
        var basis = Arrangement.Basis()
        basis.edition = roster.edition
        basis.filter = filter
        basis.sort = sort
        basis.isReversed = isReversed
        basis.folded = overview == .table ? folded : []
        if filter.asksHealth {
            basis.time = now
        } else if sort.followsFigures {
            let isSoon = now < arrangement.basis.time + Self.reordering
            basis.time = isSoon ? arrangement.basis.time : now
        }
        if sort.followsHealth || filter.asksHealth { basis.changes = roster.standings.changes }
        guard basis != arrangement.basis else { return }
        if texts.edition != roster.edition { texts = TargetTexts(of: roster) }
        if filter.hasWords { texts.fill(with: roster) }
        arrangement = Arrangement(of: roster, by: basis, texts: texts)
    }

    /// The place of a row; nil when it is not there.
    func index(of id: Row.ID?) -> Int? {
        guard let id else { return nil }
        // It seldom moves.
        if rows.indices.contains(selectionIndex), rows[selectionIndex].id == id { return selectionIndex }
        return rows.firstIndex { $0.id == id }
    }

    /// The shown targets that an action on a row concerns.
    func targets(of row: Row) -> [Target.ID] {
        switch row {
        case .group(_, let members, _): arrangement.order[members].map { shownRoster.standings[$0].id }
        case .target(let id, _): [id]
        }
    }
}
