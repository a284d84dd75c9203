import ReachMonitoring

/// The filtered and sorted targets, and the rows of the table.
///
/// Sorting ten thousand targets for every frame is too expensive. An order stays valid until its ``Basis`` changes.
struct RowOrder: Sendable {
    /// The inputs that this order was computed from.
    let basis: Basis
    /// The positions of the shown targets in the target states, group by group.
    let positions: [Int]
    /// The groups in the order of their first target, each with its range of ``positions``; empty if no target has a
    /// group.
    let groups: [(name: String?, members: Range<Int>)]
    /// The rows of the table: the headings of groups, each followed by its targets unless it is folded.
    let rows: [Row]
    /// The row of each group's heading.
    private let headings: [Int]

    /// The inputs of an order. If they differ, the order is out of date.
    struct Basis: Sendable, Hashable {
        var edition = 0
        var filter = Filter()
        var sort = Sort.settings
        var isReversed = false
        var folded: Set<String?> = []
        /// The groups with targets that are only counted; empty for those without a group.
        var counted: Set<String> = []
        /// The number of health changes so far, if the order depends on them.
        var changes = 0
        /// The time cursor.
        var cursor: Duration?
        /// When the figures of the sort order were read, if it depends on them.
        var time = Duration.zero
        /// The time of the strips whose availability decides the order; nil for other orders and views.
        var stripSpan: Duration?
        /// The number of answers with availability from the history, if the order depends on them.
        var availabilityCount = 0
        /// When the figures of the filter were read, if it compares any.
        var figureTime: Duration?
    }

    /// Creates an order without targets.
    init() {
        self.init(of: Roster(), by: Basis(), texts: TargetTexts(of: Roster()), figures: FigureValues())
    }

    init(
        of roster: Roster,
        by basis: Basis,
        texts: TargetTexts,
        figures: FigureValues,
        availability: [Target.ID: Double]? = nil
    ) {
        let states = roster.states
        self.basis = basis
        let shown = states.indices.filter { basis.filter.matches($0, of: states, texts, figures) }
        let sorted = basis.sort.sorted(
            shown,
            of: states,
            availability,
            at: basis.time,
            reversed: basis.isReversed
        )

        var names: [String?] = []
        var numbers: [String?: Int] = [:]
        var members: [[Int]] = []
        for position in sorted {
            let name = states[position].target.group
            if let number = numbers[name] {
                members[number].append(position)
            } else {
                numbers[name] = names.count
                names.append(name)
                members.append([position])
            }
        }
        for group in basis.counted.sorted() where numbers[group.isEmpty ? nil : group] == nil {
            names.append(group.isEmpty ? nil : group)
            members.append([])
        }
        positions = Array(members.joined())
        let row = { (position: Int) in Row.target(states[position].id, position: position) }
        guard names.contains(where: { $0 != nil }) else {
            groups = []
            rows = positions.map(row)
            headings = []
            return
        }
        var (groups, rows, start): ([(name: String?, members: Range<Int>)], [Row], Int) = ([], [], 0)
        var headings: [Int] = []
        for (name, members) in zip(names, members) {
            let range = start..<start + members.count
            let isFolded = basis.folded.contains(name)
            groups.append((name, range))
            headings.append(rows.count)
            rows.append(.group(name, members: range, isFolded: isFolded))
            if !isFolded { rows += members.map(row) }
            start = range.upperBound
        }
        (self.groups, self.rows, self.headings) = (groups, rows, headings)
    }

    /// Returns the range of ``positions`` that rows show; a folded heading stands for all its targets.
    func targets(ofRows range: Range<Int>) -> Range<Int> {
        let start = target(atRow: range.lowerBound)
        return start..<max(start, target(atRow: range.upperBound))
    }

    /// Returns the index of a target in ``positions``; nil for a group, and for a target that is not shown.
    func index(of row: Row.ID?, in roster: Roster) -> Int? {
        guard case .target(let id)? = row, let position = roster.position(of: id) else { return nil }
        return positions.firstIndex(of: position)
    }

    /// Returns the row of the heading above a target's row; nil for a heading, and without groups.
    func heading(aboveRow row: Int) -> Int? {
        guard row < rows.count, rows[row].id.isTarget else { return nil }
        return group(atRow: row).map { headings[$0] }
    }

    /// Returns the number of targets above a row.
    private func target(atRow row: Int) -> Int {
        guard row < rows.count else { return positions.count }
        guard let group = group(atRow: row) else { return row }
        return groups[group].members.lowerBound + max(0, row - headings[group] - 1)
    }

    /// Returns the group whose heading is the last one at or above a row; nil without groups.
    private func group(atRow row: Int) -> Int? {
        // By bisection: there may be thousands.
        var (low, high) = (0, headings.count)
        while low < high {
            let middle = (low + high) / 2
            if headings[middle] <= row { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

/// The order of the rows.
enum Sort: Int, Sendable, Hashable, CaseIterable {
    /// The order of the settings file.
    case settings
    /// Failing first.
    case health
    case name
    case last
    case min
    case mean
    case p95
    case max
    case loss
    case jitter
    /// The lowest first.
    case availability
    case last24Hours
    case last7Days
    case last30Days
    case last90Days
    /// The newest transition first.
    case since
    case sent
    case group
    case url
    case address

    /// Returns the next order: by each of these columns in turn, then the order of the settings.
    func next(of columns: [TableColumn]) -> Sort {
        let orders = columns.compactMap(\.sort)
        return Self.allCases.first { $0.rawValue > rawValue && orders.contains($0) } ?? .settings
    }

    /// The name in the status line.
    var name: String {
        switch self {
        case .settings: "settings order"
        case .health: "health, failing first"
        case .name: "name"
        case .last: "last round trip, longest first"
        case .min: "shortest round trip, longest first"
        case .mean: "mean round trip, longest first"
        case .p95: "95th percentile, longest first"
        case .max: "longest round trip, longest first"
        case .loss: "loss, highest first"
        case .jitter: "jitter, highest first"
        case .availability: "availability, lowest first"
        case .last24Hours: "availability over 24 hours, lowest first"
        case .last7Days: "availability over 7 days, lowest first"
        case .last30Days: "availability over 30 days, lowest first"
        case .last90Days: "availability over 90 days, lowest first"
        case .since: "age of the health, newest first"
        case .sent: "probes, most first"
        case .group: "group"
        case .url: "URL"
        case .address: "address"
        }
    }

    /// Whether the order depends on figures that change with every reply.
    var followsFigures: Bool {
        switch self {
        case .last, .min, .mean, .p95, .max, .loss, .jitter, .availability, .sent, .address: true
        case .settings, .health, .name, .since, .group, .url: false
        // These change only with what is read of the history.
        case .last24Hours, .last7Days, .last30Days, .last90Days: false
        }
    }

    /// The column whose availability from the history decides the order; nil for other orders.
    var column: TableColumn? {
        switch self {
        case .last24Hours: .last24Hours
        case .last7Days: .last7Days
        case .last30Days: .last30Days
        case .last90Days: .last90Days
        default: nil
        }
    }

    /// Whether the order is by an availability.
    var isAvailability: Bool { self == .availability || column != nil }

    /// Whether the order depends on the health.
    var followsHealth: Bool {
        self == .health || self == .since
    }

    /// Returns the positions of target states in this order; equal ones stay in the order of the settings.
    ///
    /// - Parameter availability: the availability from the history, if the order depends on it.
    func sorted(
        _ positions: [Int],
        of states: TargetStates,
        _ availability: [Target.ID: Double]?,
        at now: Duration,
        reversed: Bool
    ) -> [Int] {
        let none = Duration.nanoseconds(-1)
        let sorted: [Int] =
            switch self {
            case .settings: positions
            case .health: Self.ordered(positions) { states.targetSummaries[$0].urgency }
            case .name: Self.ordered(positions) { NaturalKey(states[$0].target.name) }
            case .last: Self.ordered(positions, descending: true) { states[$0].history.last?.roundTrip ?? none }
            case .p95: Self.ordered(positions, descending: true) { states[$0].statistics.percentile(95) ?? none }
            case .min: Self.ordered(positions, descending: true) { states[$0].statistics.min ?? none }
            case .mean: Self.ordered(positions, descending: true) { states[$0].statistics.mean ?? none }
            case .max: Self.ordered(positions, descending: true) { states[$0].statistics.max ?? none }
            case .loss: Self.ordered(positions, descending: true) { states[$0].statistics.loss ?? -1 }
            case .jitter: Self.ordered(positions, descending: true) { states[$0].statistics.jitter ?? none }
            case .availability, .last24Hours, .last7Days, .last30Days, .last90Days:
                Self.ordered(positions) { position in
                    guard let availability else { return states[position].availability(at: now) ?? 2 }
                    return availability[states[position].id] ?? 2
                }
            case .since: Self.ordered(positions, descending: true) { states[$0].since }
            case .sent: Self.ordered(positions, descending: true) { states[$0].totals.sent }
            case .group: Self.ordered(positions) { NaturalKey(states[$0].target.group) }
            case .url: Self.ordered(positions) { NaturalKey(states[$0].target.question) }
            case .address: Self.ordered(positions) { NaturalKey(states[$0].address) }
            }
        return reversed ? sorted.reversed() : sorted
    }

    /// Computes each key once, since statistics are expensive.
    private static func ordered<Key: Comparable>(
        _ positions: [Int],
        descending isDescending: Bool = false,
        by key: (Int) -> Key
    ) -> [Int] {
        let keyed = positions.map { (key: key($0), position: $0) }
        let sorted = keyed.sorted { one, other in
            one.key == other.key ? one.position < other.position : (one.key < other.key) != isDescending
        }
        return sorted.map(\.position)
    }
}
