import Monitoring

/// The list of targets: filter, sort order, folded groups, and the resulting rows.
struct RowList: Sendable {
    private(set) var filter = Filter()
    private(set) var sort = Sort.settings
    private(set) var isReversed = false
    private var folded: Set<String?> = []
    /// The folded groups of the unfiltered list. A new filter unfolds all groups, so that each match is visible.
    private var foldedBeforeFilter: Set<String?> = []
    /// The shown targets and rows, in their order.
    private(set) var order = RowOrder()
    private(set) var texts = TargetTexts(of: Roster())
    private var figures = FigureValues()
    /// The width of the longest health that the table has shown since the targets or the filter changed. It only grows,
    /// so that the columns beside it stay in place.
    private(set) var healthWidth = 0

    /// The minimum time between updates of an order or a filter by figures. They change with every reply, and jumping
    /// rows are unreadable.
    private static let reorderInterval = Duration.seconds(1)

    /// All rows of the table, visible or not. The wall and the graphs show the same targets, but fold no groups.
    var rows: [Row] { order.rows }

    /// The description of the order for the status line.
    var sortSummary: String { "sorted by \(sort.name)\(isReversed ? ", reversed" : "")" }

    mutating func filter(by filter: Filter) {
        switch (self.filter.isEmpty, filter.isEmpty) {
        case (true, false): (foldedBeforeFilter, folded) = (folded, [])
        case (false, true): folded = foldedBeforeFilter
        default: break
        }
        self.filter = filter
    }

    /// Selects the next order of the settings or of these columns, not reversed.
    mutating func sortByNext(of columns: [TableColumn]) {
        sort = sort.next(of: columns)
        isReversed = false
    }

    /// Selects an order, or reverses it if it is selected already.
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

    /// The heading of the folded group that hides a target, which was selected in the wall or the graphs.
    func foldedHeading(of target: Target) -> Int? {
        guard folded.contains(target.group) else { return nil }
        return rows.firstIndex { $0.id == .group(target.group) }
    }

    /// Filters and sorts the targets again if an input of the order has changed.
    ///
    /// - Parameters:
    ///   - roster: the roster that is shown.
    ///   - history: what was read of the history, whose availability may decide the order.
    ///   - cursor: the time cursor; nil for the present, or the time of freezing.
    ///   - counted: the groups with targets that are only counted, which have a heading.
    mutating func update(
        with roster: Roster,
        _ history: HistoryCache,
        at now: Duration,
        cursor: Duration? = nil,
        folding: Bool,
        counted: Set<String> = []
    ) {
        let hasMoved = cursor != order.basis.cursor
        var basis = RowOrder.Basis()
        basis.cursor = cursor
        basis.edition = roster.edition
        basis.filter = filter
        basis.sort = sort
        basis.isReversed = isReversed
        basis.folded = folding ? folded : []
        basis.counted = filter.isEmpty ? counted : []
        if filter.matchesState {
            basis.time = now
        } else if sort.followsFigures {
            let isSoon = !hasMoved && now < order.basis.time + Self.reorderInterval
            basis.time = isSoon ? order.basis.time : now
        }
        if !filter.figures.isEmpty {
            if hasMoved { figures = FigureValues() }
            figures.update(filter.figures, of: roster, at: now, interval: Self.reorderInterval)
            basis.figureTime = figures.time
        }
        if sort.column != nil { basis.availabilityCount = history.availabilityCount }
        if sort.followsHealth || filter.matchesState { basis.changes = roster.states.changes }
        guard basis != order.basis else { return }
        if basis.edition != order.basis.edition || filter != order.basis.filter { healthWidth = 0 }
        if !texts.areOf(roster) { texts = TargetTexts(of: roster) }
        if filter.matchesText { texts.makeSearchTexts(for: roster) }
        order = RowOrder(
            of: roster,
            by: basis,
            texts: texts,
            figures: figures,
            availability: history.availability
        )
    }

    /// Records the width of the healths that the table shows.
    mutating func widenHealth(to width: Int) {
        healthWidth = max(healthWidth, width)
    }

    /// The shown targets that an action on a row applies to.
    func targets(of row: Row, in roster: Roster) -> [Target.ID] {
        switch row {
        case .group(_, let members, _): order.positions[members].map { roster.states[$0].id }
        case .target(let id, _): [id]
        }
    }
}
