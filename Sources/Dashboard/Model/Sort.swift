import Monitoring

/// The order of the rows.
enum Sort: Int, Sendable, Hashable, CaseIterable {
    /// The order of the settings file.
    case settings
    /// Failing first.
    case health
    case name
    case last
    case p95
    case loss
    /// The newest transition first.
    case since

    var next: Sort {
        Sort(rawValue: rawValue + 1) ?? .settings
    }

    /// The name in the status line.
    var name: String {
        switch self {
        case .settings: "settings order"
        case .health: "health, failing first"
        case .name: "name"
        case .last: "last round trip, longest first"
        case .p95: "95th percentile, longest first"
        case .loss: "loss, highest first"
        case .since: "age of the health, newest first"
        }
    }

    /// Whether the order depends on figures that change with every reply.
    var followsFigures: Bool {
        switch self {
        case .last, .p95, .loss: true
        case .settings, .health, .name, .since: false
        }
    }

    /// Whether the order depends on the health.
    var followsHealth: Bool {
        self == .health || self == .since
    }

    /// Returns the positions of target states in this order; equal ones stay in the order of the settings.
    func sorted(_ positions: [Int], of states: TargetStates, reversed: Bool) -> [Int] {
        let none = Duration.nanoseconds(-1)
        let sorted: [Int] =
            switch self {
            case .settings: positions
            case .health: Self.ordered(positions) { states.targetSummaries[$0].urgency }
            case .name: Self.ordered(positions) { states[$0].target.name.lowercased() }
            case .last: Self.ordered(positions, descending: true) { states[$0].history.last?.roundTrip ?? none }
            case .p95: Self.ordered(positions, descending: true) { states[$0].statistics.percentile(95) ?? none }
            case .loss: Self.ordered(positions, descending: true) { states[$0].statistics.loss ?? -1 }
            case .since: Self.ordered(positions, descending: true) { states[$0].since }
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
