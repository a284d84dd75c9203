/// A column of the dashboard's table. The raw value is its name in the settings.
public enum TableColumn: String, Sendable, Hashable, CaseIterable {
    case name, group, url, address
    /// The health and its cause.
    case health
    /// The last round trip.
    case last
    case min, mean, p95, max
    case loss, jitter
    /// The number of finished probes.
    case sent
    /// The availability since the start.
    case availability
    /// The availability over a time until now, from the history.
    case last24Hours = "24h"
    case last7Days = "7d"
    case last30Days = "30d"
    case last90Days = "90d"
    /// The round trips of the last minute or two.
    case chart
    /// The age of the health.
    case since = "for"

    /// The columns of settings that choose none.
    public static let standard: [TableColumn] = [.name, .url, .health, .last, .p95, .loss, .jitter, .chart, .since]

    /// The columns of the availability from the history.
    package static let ofHistory: [TableColumn] = [.last24Hours, .last7Days, .last30Days, .last90Days]

    /// The time until now whose availability the column shows; nil for other columns.
    package var period: Duration? {
        switch self {
        case .last24Hours: .seconds(86_400)
        case .last7Days: .seconds(7 * 86_400)
        case .last30Days: .seconds(30 * 86_400)
        case .last90Days: .seconds(90 * 86_400)
        default: nil
        }
    }

    /// Whether the column is always shown.
    public var isRequired: Bool { self == .name || self == .health }
}
