import Monitoring

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

    /// Returns the next order of those by these columns and that of the settings.
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

    /// Whether the order depends on the health.
    var followsHealth: Bool {
        self == .health || self == .since
    }

    /// Returns the positions of target states in this order; equal ones stay in the order of the settings.
    func sorted(
        _ positions: [Int],
        of states: TargetStates,
        _ availability: [Target.ID: PeriodAvailability],
        at now: Duration,
        reversed: Bool
    ) -> [Int] {
        let none = Duration.nanoseconds(-1)
        let sorted: [Int] =
            switch self {
            case .settings: positions
            case .health: Self.ordered(positions) { states.targetSummaries[$0].urgency }
            case .name: Self.ordered(positions) { states[$0].target.name.lowercased() }
            case .last: Self.ordered(positions, descending: true) { states[$0].history.last?.roundTrip ?? none }
            case .p95: Self.ordered(positions, descending: true) { states[$0].statistics.percentile(95) ?? none }
            case .min: Self.ordered(positions, descending: true) { states[$0].statistics.min ?? none }
            case .mean: Self.ordered(positions, descending: true) { states[$0].statistics.mean ?? none }
            case .max: Self.ordered(positions, descending: true) { states[$0].statistics.max ?? none }
            case .loss: Self.ordered(positions, descending: true) { states[$0].statistics.loss ?? -1 }
            case .jitter: Self.ordered(positions, descending: true) { states[$0].statistics.jitter ?? none }
            case .availability: Self.ordered(positions) { states[$0].availability(at: now) ?? 2 }
            case .last24Hours, .last7Days, .last30Days, .last90Days:
                Self.ordered(positions) { position in
                    column.flatMap { availability[states[position].id]?[$0] } ?? 2
                }
            case .since: Self.ordered(positions, descending: true) { states[$0].since }
            case .sent: Self.ordered(positions, descending: true) { states[$0].totals.sent }
            case .group: Self.ordered(positions) { Self.text(states[$0].target.group) }
            case .url: Self.ordered(positions) { states[$0].target.question.url }
            case .address: Self.ordered(positions) { Self.text(states[$0].address) }
            }
        return reversed ? sorted.reversed() : sorted
    }

    /// The sort key of a text; missing texts come last.
    private static func text(_ text: String?) -> String {
        text?.lowercased() ?? "\u{10FFFF}"
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
