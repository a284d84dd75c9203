import Monitoring
import Screen

extension TableColumn {
    /// The heading of columns whose heading does not depend on the layout.
    var heading: String {
        switch self {
        case .name: "TARGET"
        case .group: "GROUP"
        case .url: "URL"
        case .address: "ADDRESS"
        case .health: "HEALTH"
        case .last: "LAST"
        case .min: "MIN"
        case .mean: "MEAN"
        case .p95: "P95"
        case .max: "MAX"
        case .loss: "LOSS"
        case .jitter: "JITTER"
        case .sent: "SENT"
        case .availability: "AVAIL"
        case .chart: "LAST"
        case .since: "FOR"
        }
    }

    /// The description in the list of columns.
    var summary: String {
        switch self {
        case .name: "the name of the target"
        case .group: "the group of the target"
        case .url: "the method, and the host and port or path"
        case .address: "the address that was probed last"
        case .health: "the health and the latest problem"
        case .last: "the last round trip"
        case .min: "the shortest round trip of the last \(Statistics.window) probes"
        case .mean: "the mean round trip of the last \(Statistics.window) probes"
        case .p95: "the 95th percentile of the last \(Statistics.window) probes"
        case .max: "the longest round trip of the last \(Statistics.window) probes"
        case .loss: "the loss among the last \(Statistics.window) probes"
        case .jitter: "the mean difference of successive round trips"
        case .sent: "the number of probes since the start or the last reset"
        case .availability: "the share of the time with replies, since the start or the last reset"
        case .chart: "the round trips over time"
        case .since: "how long the health has lasted"
        }
    }

    /// Figures are right-aligned, so that their units are aligned.
    var alignment: Alignment {
        switch self {
        case .name, .group, .url, .address, .health, .chart: .leading
        case .last, .min, .mean, .p95, .max, .loss, .jitter, .sent, .availability, .since: .trailing
        }
    }

    /// The number of additional blanks before the column. A chart needs a wider gap to the figure on its left.
    var indent: Int {
        self == .chart ? 1 : 0
    }

    /// The order that sorts by this column, if there is one.
    var sort: Sort? {
        switch self {
        case .name: .name
        case .health: .health
        case .last: .last
        case .mean: .mean
        case .p95: .p95
        case .max: .max
        case .loss: .loss
        case .availability: .availability
        case .since: .since
        case .group, .url, .address, .min, .jitter, .sent, .chart: nil
        }
    }

    /// The order in which columns are hidden on narrow terminals, lowest first; nil is always visible.
    fileprivate var dropOrder: Int? {
        switch self {
        case .name, .health: nil
        case .sent: 0
        case .jitter: 1
        case .min: 2
        case .mean: 3
        case .max: 4
        case .p95: 5
        case .availability: 6
        case .group: 7
        case .since: 8
        case .chart: 9
        case .address: 10
        case .url: 11
        case .loss: 12
        case .last: 13
        }
    }
}

/// The widths that the columns of the table need. They follow from the settings and from bounded texts, so that changing
/// figures do not move the columns.
struct ColumnNeeds: Sendable, Hashable {
    /// The width of the longest name.
    var name: Int
    /// The width of the longest group.
    var group: Int
    /// The width of the longest method and authority.
    var url: Int
    /// The width of the longest health that has been shown.
    var health: Int

    /// Returns the layout of columns on a width.
    ///
    /// * Columns are hidden, in their order, until the minimums of the others fit.
    /// * Names of usual length get their room first, then URL and health share what they need, then long names grow, and
    ///   the chart takes the rest.
    /// * What the chart cannot use, because its columns are whole seconds, goes to the health.
    func layout(of columns: [TableColumn], width: Int) -> ColumnLayout<TableColumn> {
        let usual = min(name, 20)
        let narrow = layout(of: columns, width: width, name: usual, chart: .narrowest, health: healthLimit)
        let end = narrow.visible.last.flatMap { narrow[$0]?.upperBound } ?? width
        var spare = max(0, width - end)
        let long = usual + min(spare, max(0, min(name, 40) - usual))
        spare -= long - usual
        var chart = SparklineSpan.narrowest
        if narrow[.chart] != nil {
            chart = SparklineSpan(fitting: chart.cells + spare)
            spare -= chart.cells - SparklineSpan.narrowest.cells
        }
        return layout(of: narrow.visible, width: width, name: long, chart: chart, health: healthLimit + spare)
    }

    /// The longest health that gets a column of its width; longer ones are truncated.
    private var healthLimit: Int { min(max(health, 20), TableRow.healthLimit) }

    private func layout(
        of columns: [TableColumn],
        width: Int,
        name: Int,
        chart: SparklineSpan,
        health: Int
    ) -> ColumnLayout<TableColumn> {
        let specs = columns.map { column -> ColumnLayout<TableColumn>.Spec in
            let order = column.dropOrder
            switch column {
            case .name:
                return .init(.name, minimum: max(8, min(name, 14)), ideal: max(8, name + 1))
            case .group:
                return .init(.group, minimum: max(5, min(group, 12)), ideal: max(5, min(group, 20)), dropOrder: order)
            case .url:
                return .init(
                    .url,
                    minimum: min(max(url, 3), 17),
                    weight: 1,
                    maximum: min(url, 44) + 1,
                    dropOrder: order
                )
            case .address:
                return .init(.address, minimum: 15, weight: 1, maximum: 26, dropOrder: order)
            case .health:
                return .init(.health, minimum: 14, weight: 1, maximum: health)
            case .last, .min, .mean, .p95, .max, .jitter, .sent, .availability, .since:
                return .init(column, minimum: 6, dropOrder: order)
            case .loss:
                return .init(.loss, minimum: 5, dropOrder: order)
            case .chart:
                return .init(.chart, minimum: chart.cells + column.indent, dropOrder: order)
            }
        }
        return ColumnLayout(specs, width: width, gap: 1)
    }
}
