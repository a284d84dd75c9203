import Monitoring

/// The list of targets: which ones the user wants to see in which order, and the rows that result.
struct RowList: Sendable {
    private(set) var filter = Filter()
    private(set) var sort = Sort.settings
    private(set) var isReversed = false
    private var folded: Set<String?> = []
    /// The targets and rows that are shown, in their order.
    private(set) var order = RowOrder()
    private(set) var texts = TargetTexts(of: Roster())

    /// How often the order follows figures that change with every answer: rows that jump all the time cannot be read.
    private static let reordering = Duration.seconds(1)

    /// The rows of the table, from the first to the last, whether seen or not. The wall and the graphs show the same
    /// targets, but fold nothing.
    var rows: [Row] { order.rows }

    /// What the status line says of the order.
    var sortSummary: String { "sorted by \(sort.name)\(isReversed ? ", reversed" : "")" }

    mutating func filter(by filter: Filter) {
        self.filter = filter
    }

    /// Takes the next order, not reversed.
    mutating func sortByNext() {
        sort = sort.next
        isReversed = false
    }

    /// Takes an order, or reverses it when it is the present one.
    mutating func sort(by wanted: Sort) {
        isReversed = wanted == sort && !isReversed
        sort = wanted
    }

    mutating func reverse() {
        isReversed.toggle()
    }

    mutating func setFolded(_ isFolded: Bool, _ group: String?) {
        if isFolded { folded.insert(group) } else { folded.remove(group) }
    }

    mutating func toggleFolded(_ group: String?) {
        folded.formSymmetricDifference([group])
    }

    /// The head of the folded group that hides a target, which the wall or the graphs have shown.
    func foldedHead(of target: Target) -> Int? {
        guard folded.contains(target.group) else { return nil }
        return rows.firstIndex { $0.id == .group(target.group) }
    }

    /// Filters and sorts the targets again, if anything has changed that the order depends on.
    mutating func update(with roster: Roster, at now: Duration, folding: Bool) {
        var basis = RowOrder.Basis()
        basis.edition = roster.edition
        basis.filter = filter
        basis.sort = sort
        basis.isReversed = isReversed
        basis.folded = folding ? folded : []
        if filter.asksHealth {
            basis.time = now
        } else if sort.followsFigures {
            let isSoon = now < order.basis.time + Self.reordering
            basis.time = isSoon ? order.basis.time : now
        }
        if sort.followsHealth || filter.asksHealth { basis.changes = roster.standings.changes }
        guard basis != order.basis else { return }
        if texts.edition != roster.edition { texts = TargetTexts(of: roster) }
        if filter.hasWords { texts.fill(with: roster) }
        order = RowOrder(of: roster, by: basis, texts: texts)
    }

    /// The shown targets that an action on a row concerns.
    func targets(of row: Row, in roster: Roster) -> [Target.ID] {
        switch row {
        case .group(_, let members, _): order.positions[members].map { roster.standings[$0].id }
        case .target(let id, _): [id]
        }
    }
}
