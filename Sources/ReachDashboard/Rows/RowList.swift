import ReachMonitoring

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
    /// The width of the longest health that the table has shown in the last minute.
    private(set) var healthWidth = RecentWidth()

    /// The minimum time between updates of an order or a filter by figures. They change with every reply, and jumping
    /// rows are unreadable.
    private static let reorderInterval = Duration.seconds(1)
    /// The same for an order by the availability of strips, which changes slowly.
    private static let stripInterval = Duration.seconds(5)

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
    ///   - strips: the time of the strips, if they are shown, and the availability of the targets over it.
    mutating func update(
        with roster: Roster,
        _ history: HistoryCache,
        at now: Duration,
        cursor: Duration? = nil,
        folding: Bool,
        counted: Set<String> = [],
        strips: (span: Duration, availability: () -> [Target.ID: Double])? = nil
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
        let strips = sort.isAvailability ? strips : nil
        basis.stripSpan = strips?.span
        if filter.matchesState {
            basis.time = now
        } else if sort.followsFigures || strips != nil {
            let interval = strips == nil ? Self.reorderInterval : Self.stripInterval
            let isSoon = !hasMoved && basis.stripSpan == order.basis.stripSpan && now < order.basis.time + interval
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
        if basis.edition != order.basis.edition || filter != order.basis.filter { healthWidth = RecentWidth() }
        if !texts.areOf(roster) { texts = TargetTexts(of: roster) }
        if filter.matchesText { texts.makeSearchTexts(for: roster) }
        order = RowOrder(
            of: roster,
            by: basis,
            texts: texts,
            figures: figures,
            availability: strips?.availability()
                ?? sort.column.map { column in history.availability.compactMapValues { $0[column] } }
        )
    }

    /// Records the width of the healths that the table shows.
    mutating func recordHealth(width: Int, at now: Duration) {
        healthWidth.record(width, at: now)
    }

    /// The shown targets that an action on a row applies to.
    func targets(of row: Row, in roster: Roster) -> [Target.ID] {
        switch row {
        case .group(_, let members, _): order.positions[members].map { roster.states[$0].id }
        case .target(let id, _): [id]
        }
    }
}

/// The largest width of a text in the last minute. A column of this width grows at once, and shrinks 30 to 60 seconds after the
/// text is gone, so that the columns beside it do not move each time that the text appears.
struct RecentWidth: Sendable, Hashable {
    /// The largest width of the present and of the previous period.
    private var (present, previous) = (0, 0)
    /// When the present period began.
    private var start = Duration.zero

    private static let period = Duration.seconds(30)

    var width: Int { max(present, previous) }

    mutating func record(_ width: Int, at now: Duration) {
        if now >= start + Self.period { (start, previous, present) = (now, present, 0) }
        present = max(present, width)
    }
}

/// A row of the table.
enum Row: Sendable, Hashable {
    /// The heading of a group, with the range of its targets in ``RowOrder/positions``. A nil name is the group of
    /// targets without one, which has a heading only if there are other groups.
    case group(String?, members: Range<Int>, isFolded: Bool)
    /// A target, with its position in the target states.
    case target(Target.ID, position: Int)

    /// The identity of a row, which stays the same when sorting, folding or a reload moves it.
    enum ID: Sendable, Hashable {
        case group(String?)
        case target(Target.ID)

        var isTarget: Bool { if case .target = self { true } else { false } }
    }

    var id: ID {
        switch self {
        case .group(let name, _, _): .group(name)
        case .target(let id, _): .target(id)
        }
    }

    /// The position of the target in the target states; nil for a heading.
    var position: Int? {
        if case .target(_, let position) = self { position } else { nil }
    }
}

/// The selected row and the scroll position. The row stays selected when sorting, folding or a reload moves it.
struct Selection: Sendable, Hashable {
    /// The selected row; nil if there are no rows.
    private(set) var id: Row.ID?
    /// The index of the selected row, used when that row disappears.
    private(set) var index = 0
    /// The first visible row of the table. If it is a target, the heading of its group is shown in its place.
    private(set) var scroll = 0

    /// The fewest visible rows with which a heading is shown in place of a target.
    static let minRowsWithHeading = 4

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
        if hasGroups, rows[index].id.isTarget, height >= Self.minRowsWithHeading { scroll = min(scroll, index - 1) }
        if index >= scroll + height { scroll = index - height + 1 }
        // Show the heading of the first group when its first target is selected.
        if scroll == 1, index < height { scroll = 0 }
    }

    private static func firstTarget(of rows: [Row]) -> Int {
        rows.firstIndex { $0.id.isTarget } ?? 0
    }
}
