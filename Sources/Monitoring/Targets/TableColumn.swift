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
    case availability
    /// The round trips of the last minute or two.
    case chart
    /// The age of the health.
    case since = "for"

    /// The columns of settings that choose none.
    public static let standard: [TableColumn] = [.name, .url, .health, .last, .p95, .loss, .jitter, .chart, .since]

    /// Whether the column is always shown.
    public var isRequired: Bool { self == .name || self == .health }
}
