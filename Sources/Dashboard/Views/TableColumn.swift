import Monitoring
import Screen

/// A column of the table.
enum TableColumn: Sendable, Hashable, CaseIterable {
    case name, url, health, last, p95, loss, jitter, chart, since

    /// The heading, with the unit if the figures have none.
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

    /// Figures are right-aligned, so that their units are aligned.
    var alignment: Alignment {
        switch self {
        case .name, .url, .health, .chart: .leading
        case .last, .p95, .loss, .jitter, .since: .trailing
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
        case .p95: .p95
        case .loss: .loss
        case .since: .since
        case .url, .jitter, .chart: nil
        }
    }

    /// Returns the layout for a width. On narrow terminals, columns are hidden in this order: jitter, p95, age, chart,
    /// URL, loss, last round trip. Name and health are always visible.
    static func layout(width: Int, nameWidth: Int, urlWidth: Int) -> ColumnLayout<TableColumn> {
        // A wider chart requires a wider terminal, so that the text columns keep enough room.
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
