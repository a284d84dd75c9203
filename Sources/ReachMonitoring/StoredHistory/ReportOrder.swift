/// The order of the targets in a report.
package enum ReportOrder: String, Sendable, CaseIterable {
    /// The order of the settings, by group.
    case settings
    case name
    /// The lowest availability first.
    case availability
    /// The most outages first.
    case outages
    /// The longest time down first.
    case down
    /// The longest time degraded first.
    case degraded
    /// The longest round trips first.
    case p95
    /// The highest loss first.
    case loss

    /// Targets in this order. Those without the figure are last, and equal ones stay in their order.
    package func sorted(_ rows: [HistoryReport.Row]) -> [HistoryReport.Row] {
        switch self {
        case .settings: Self.grouped(rows)
        case .name: rows.sorted { ($0.name, $0.url) < ($1.name, $1.url) }
        case .availability: Self.sorted(rows) { $0.availability.availability.map { -$0 } }
        case .outages: Self.sorted(rows) { $0.availability.outages.count }
        case .down: Self.sorted(rows) { $0.availability.down }
        case .degraded: Self.sorted(rows) { $0.availability.degraded }
        case .p95: Self.sorted(rows) { $0.figures?.roundTrips?.p95.roundTrip }
        case .loss: Self.sorted(rows) { $0.figures.map { Double($0.lost) / Double(max(1, $0.sent)) } }
        }
    }

    /// The groups in the order of their first targets.
    private static func grouped(_ rows: [HistoryReport.Row]) -> [HistoryReport.Row] {
        var numbers: [String?: Int] = [:]
        for row in rows where numbers[row.group] == nil { numbers[row.group] = numbers.count }
        return sorted(rows) { row in numbers[row.group].map { -$0 } }
    }

    /// Sorts by a figure, the greatest first.
    private static func sorted<Figure: Comparable>(
        _ rows: [HistoryReport.Row],
        by figure: (HistoryReport.Row) -> Figure?
    ) -> [HistoryReport.Row] {
        let keyed = rows.enumerated().map { (index: $0.offset, figure: figure($0.element)) }
        let order = keyed.sorted { one, other in
            switch (one.figure, other.figure) {
            case (let first?, let second?) where first != second: first > second
            case (nil, _?): false
            case (_?, nil): true
            default: one.index < other.index
            }
        }
        return order.map { rows[$0.index] }
    }

    /// The order in words.
    var summary: String {
        switch self {
        case .settings: "in the order of the settings"
        case .name: "by name"
        case .availability: "lowest availability first"
        case .outages: "most outages first"
        case .down: "longest time down first"
        case .degraded: "longest time degraded first"
        case .p95: "longest 95th percentile first"
        case .loss: "highest loss first"
        }
    }
}
