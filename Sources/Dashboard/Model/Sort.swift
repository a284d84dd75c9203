import Monitoring

/// The order of the rows.
enum Sort: Int, Sendable, Hashable, CaseIterable {
    /// As the settings have them.
    case settings
    /// Failing first.
    case health
    case name
    case last
    case p95
    case loss
    /// The newest change first.
    case since

    var next: Sort {
        Sort(rawValue: rawValue + 1) ?? .settings
    }

    /// What the status line says.
    var name: String {
        switch self {
        case .settings: "the settings' order"
        case .health: "health, failing first"
        case .name: "name"
        case .last: "last round trip, longest first"
        case .p95: "95th percentile, longest first"
        case .loss: "loss, highest first"
        case .since: "age of the health, newest first"
        }
    }

    /// The standings in this order; equal ones stay as the settings have them.
    func sorted(_ standings: [Standing], reversed: Bool) -> [Standing] {
        let sorted: [Standing] =
            switch self {
            case .settings: standings
            case .health: Self.ascending(standings) { Double($0.urgency) }
            case .name: Self.byName(standings)
            case .last: Self.ascending(standings) { -($0.statistics.last?.inSeconds ?? -1) }
            case .p95: Self.ascending(standings) { -($0.statistics.percentile(95)?.inSeconds ?? -1) }
            case .loss: Self.ascending(standings) { -($0.statistics.loss ?? -1) }
            case .since: Self.ascending(standings) { -$0.since.inSeconds }
            }
        return reversed ? sorted.reversed() : sorted
    }

    /// Each key is computed once: statistics are not free.
    private static func ascending(_ standings: [Standing], by key: (Standing) -> Double) -> [Standing] {
        let keyed = standings.enumerated().map { (offset: $0, key: key($1), standing: $1) }
        return keyed.sorted { ($0.key, $0.offset) < ($1.key, $1.offset) }.map(\.standing)
    }

    private static func byName(_ standings: [Standing]) -> [Standing] {
        standings.map { (name: $0.target.name.lowercased(), standing: $0) }
            .sorted { $0.name < $1.name }
            .map(\.standing)
    }
}
