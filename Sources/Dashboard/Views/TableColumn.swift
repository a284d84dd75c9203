import Monitoring
import Screen

/// A column of the table.
enum TableColumn: Sendable, Hashable, CaseIterable {
    case name, url, health, last, p95, loss, jitter, chart, since

    /// The heading, with the unit where the figures do not carry it.
    var heading: String {
        switch self {
        case .name: "TARGET"
        case .url: "URL"
        case .health: "HEALTH"
        case .last: "LAST"
        case .p95: "P95"
        case .loss: "LOSS"
        case .jitter: "JITTER"
        case .chart: "LAST 60 s"
        case .since: "FOR"
        }
    }

    /// Figures are right-aligned, so that their units stand below each other.
    var alignment: Alignment {
        switch self {
        case .name, .url, .health, .chart: .leading
        case .last, .p95, .loss, .jitter, .since: .trailing
        }
    }

    /// Blanks before what stands in the column: a chart needs more of a gap to the figure on its left.
    var indent: Int {
        self == .chart ? 1 : 0
    }

    /// The order in which the column shows the table's rows, where there is one.
    var sort: Sort? {
        switch self {
        case .name: .name
        case .health: .health
        case .last: .last
        case .p95: .p95
        case .loss: .loss
        case .since: .since
        case .url, .jitter, .chart: nil
        }
    }

    /// The layout for a width. As the terminal narrows, jitter goes first, then p95, the age, the chart, the URL, the
    /// loss and the last round trip; the name and the health stay.
    static func layout(width: Int, nameWidth: Int, urlWidth: Int) -> ColumnLayout<TableColumn> {
        // The longer a chart, the more of the width has to be left to what is said in words.
        let chart = Sparkline.widths.last { width >= 80 + $0 * 3 / 2 } ?? Sparkline.widths[0]
        return ColumnLayout(
            [
                .init(.name, minimum: max(8, min(nameWidth, 12)), weight: 4, maximum: max(8, min(nameWidth, 28) + 1)),
                .init(.url, minimum: 16, weight: 3, maximum: max(16, min(urlWidth, 44) + 1), dropOrder: 4),
                .init(.health, minimum: 14, weight: 3, maximum: 52),
                .init(.last, minimum: 6, dropOrder: 6),
                .init(.p95, minimum: 6, dropOrder: 1),
                .init(.loss, minimum: 5, dropOrder: 5),
                .init(.jitter, minimum: 6, dropOrder: 0),
                .init(.chart, minimum: chart + 1, dropOrder: 3),
                .init(.since, minimum: 6, dropOrder: 2),
            ],
            width: width,
            gap: 1
        )
    }
}
