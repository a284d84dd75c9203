import ReachMonitoring
import ReachScreen

/// The properties of a column of the table.
private struct ColumnTraits {
    /// The heading; that of the chart depends on the layout.
    let heading: String
    /// The description in the list of columns.
    let summary: String
    /// The order that sorts by the column; nil for the chart.
    let sort: Sort?
    /// The order in which columns are hidden on narrow terminals, lowest first; nil is always visible.
    let dropOrder: Int?

    init(_ heading: String, _ summary: String, _ sort: Sort?, dropOrder: Int? = nil) {
        (self.heading, self.summary, self.sort, self.dropOrder) = (heading, summary, sort, dropOrder)
    }
}

extension TableColumn {
    private var traits: ColumnTraits {
        switch self {
        case .name: .init("TARGET", "the name of the target", .name)
        case .group: .init("GROUP", "the group of the target", .group, dropOrder: 11)
        case .url: .init("URL", "the method, and the host and port or path", .url, dropOrder: 15)
        case .address: .init("ADDRESS", "the address that was probed last", .address, dropOrder: 14)
        case .health: .init("HEALTH", "the health and the latest problem", .health)
        case .last: .init("LAST", "the last round trip", .last, dropOrder: 17)
        case .min: .init("MIN", "the shortest round trip of the last \(Statistics.window) probes", .min, dropOrder: 2)
        case .mean: .init("MEAN", "the mean round trip of the last \(Statistics.window) probes", .mean, dropOrder: 3)
        case .p95: .init("P95", "the 95th percentile of the last \(Statistics.window) probes", .p95, dropOrder: 5)
        case .max: .init("MAX", "the longest round trip of the last \(Statistics.window) probes", .max, dropOrder: 4)
        case .loss: .init("LOSS", "the loss among the last \(Statistics.window) probes", .loss, dropOrder: 16)
        case .jitter: .init("JITTER", "the mean difference of successive round trips", .jitter, dropOrder: 1)
        case .sent: .init("SENT", "the number of probes since the start or the last reset", .sent, dropOrder: 0)
        case .availability:
            .init(
                "AVAIL",
                "the share of the time with replies, since the start or the last reset",
                .availability,
                dropOrder: 6
            )
        case .last24Hours:
            .init("24 H", "the availability of the last 24 hours, from the history", .last24Hours, dropOrder: 10)
        case .last7Days: .init("7 D", "the availability of the last 7 days, from the history", .last7Days, dropOrder: 8)
        case .last30Days:
            .init("30 D", "the availability of the last 30 days, from the history", .last30Days, dropOrder: 9)
        case .last90Days:
            .init("90 D", "the availability of the last 90 days, from the history", .last90Days, dropOrder: 7)
        case .chart: .init("LAST", "the round trips over time", nil, dropOrder: 13)
        case .since: .init("FOR", "how long the health has lasted", .since, dropOrder: 12)
        }
    }

    var heading: String { traits.heading }
    var summary: String { traits.summary }
    var sort: Sort? { traits.sort }
    fileprivate var dropOrder: Int? { traits.dropOrder }

    /// Figures are right-aligned, so that their units are aligned.
    var alignment: Alignment {
        switch self {
        case .name, .group, .url, .address, .health, .chart: .leading
        default: .trailing
        }
    }

    /// Whether the column is drawn with each reply. The others change little with one reply, and are drawn every second.
    var followsReplies: Bool {
        switch self {
        case .health, .last, .loss, .chart: true
        default: false
        }
    }

    /// The number of additional blanks before the column. A chart needs a wider gap to the figure on its left.
    var indent: Int {
        self == .chart ? 1 : 0
    }
}

extension TableColumn {
    /// Whether the column is the chart, or is hidden after it.
    fileprivate var isImportant: Bool {
        guard let order = dropOrder, let chart = Self.chart.dropOrder else { return true }
        return order >= chart
    }
}

/// The widths that the columns of the table need. They follow from the settings and from bounded texts, so that changing
/// figures do not move the columns.
struct ColumnNeeds: Sendable, Hashable {
    /// The width of the longest name.
    var name: Int
    /// The width in which no two long names look alike.
    var distinctName = 0
    /// The width of the longest group.
    var group: Int
    /// The width of the longest method, plus a blank.
    var method = 0
    /// The width of the longest host and port.
    var host: Int
    /// The width of the longest method and authority.
    var url: Int
    /// The width of the longest health that has been shown.
    var health: Int
    /// The column of the sort order, whose heading has a mark.
    var sorted: TableColumn?

    /// The widths that a layout gives to texts and chart.
    private struct Widths {
        var name: Int
        var url: Int
        var health: Int
        /// The least width of long names.
        var minNameWidth = TargetTexts.minNameWidth
        /// The least width of long URLs.
        var minURLWidth = 17
        /// The least width of healths.
        var minHealthWidth = 14
        var chart = SparklineSpan.usual
    }

    /// Returns the layout of columns on a width.
    ///
    /// * Columns are hidden, in their order, until the minimums of the others fit. One is as much of the names as distinguishes
    ///   them. Columns that are less important than the chart are hidden before names of usual length are cut at all.
    /// * On terminals of a hundred columns, the chart has twenty at least. On narrower ones, it gives up two columns rather than
    ///   being hidden, and for healths of usual length.
    /// * Hosts, ports and healths of usual length get their room first, then paths.
    /// * The chart grows to a third of the width; then long names, URLs and healths grow, whose causes have short forms too, and
    ///   the chart takes the rest.
    /// * What the chart cannot use, because its columns are whole seconds, is distributed over the texts.
    /// * The mark of the sort order gets a column of its own, if that hides no other column.
    func layout(of columns: [TableColumn], width: Int) -> ColumnLayout<TableColumn> {
        guard sorted != nil else { return arranged(of: columns, width: width) }
        var needs = self
        needs.sorted = nil
        let plain = needs.arranged(of: columns, width: width)
        let marked = arranged(of: columns, width: width)
        return marked.visible == plain.visible ? marked : plain
    }

    private func arranged(of columns: [TableColumn], width: Int) -> ColumnLayout<TableColumn> {
        let isRoomy = width >= Self.roomyWidth
        let distinct = min(name, max(TargetTexts.minNameWidth, min(distinctName, TargetTexts.maxDistinctWidth)))
        let whole = max(distinct, min(name, 20))
        var widths = Widths(name: whole, url: min(method + host, 30), health: min(max(health, 20), 24))
        func named(_ name: Int, besides health: Int, _ chart: SparklineSpan) -> Widths {
            var widths = widths
            (widths.minNameWidth, widths.chart) = (min(name, max(TargetTexts.minNameWidth, width - health - 1)), chart)
            return widths
        }
        // Names of usual length leave healths of usual length their room. Names and healths are always shown.
        let usual = min(max(health, widths.minHealthWidth), 17)
        let charts: [SparklineSpan] = isRoomy ? [.roomy] : [.usual, .narrowest]
        let names = [(whole, usual), (distinct, widths.minHealthWidth)]
        let options = names.flatMap { name, health in charts.map { named(name, besides: health, $0) } }
        let layouts = options.map { layout(of: columns, width: width, $0) }
        // Names and a wide chart hide neither the chart nor a more important column, if that is possible.
        let cut = named(min(name, TargetTexts.minNameWidth), besides: usual, charts[0])
        let important = layout(of: columns, width: width, cut).visible.filter(\.isImportant)
        let index = layouts.firstIndex { $0.visible.filter(\.isImportant) == important } ?? charts.count
        widths = options[index]
        var narrow = layouts[index]
        if let urlWidth = narrow[.url]?.count, !hasMethods(inColumnOf: urlWidth) {
            // A column that hides the methods needs no width for them.
            widths.url = min(host, 30)
            narrow = layout(of: columns, width: width, widths)
        }
        if let healthWidth = narrow[.health]?.count, healthWidth < min(health, 17) {
            if !isRoomy { widths.chart = .narrowest }
            if let urlWidth = narrow[.url]?.count, !hasMethods(inColumnOf: urlWidth) {
                widths.minURLWidth = min(max(host, url - method, 3), 17)
            }
            // As much as fits without hiding a column.
            for least in (healthWidth...min(health, 17)).reversed() {
                widths.minHealthWidth = least
                let roomy = layout(of: narrow.visible, width: width, widths)
                guard roomy.visible == narrow.visible else { continue }
                narrow = roomy
                break
            }
        }
        let end = narrow.visible.last.flatMap { narrow[$0]?.upperBound } ?? width
        var spare = max(0, width - end)
        func grow(_ column: TableColumn, _ path: WritableKeyPath<Widths, Int>, to wanted: Int) {
            let more = narrow[column] == nil ? 0 : min(spare, max(0, wanted - widths[keyPath: path]))
            widths[keyPath: path] += more
            spare -= more
        }
        func growChart(to wanted: Int) {
            guard narrow[.chart] != nil else { return }
            let cells = widths.chart.cells
            widths.chart = SparklineSpan(fitting: max(cells, min(wanted, cells + spare)))
            spare -= widths.chart.cells - cells
        }
        grow(.url, \.url, to: min(url, 32))
        growChart(to: width / 3)
        grow(.name, \.name, to: min(name, 40))
        grow(.url, \.url, to: min(url, 44))
        grow(.health, \.health, to: min(health, TableRow.healthLimit))
        growChart(to: .max)
        let share = min(3, spare / 3)
        grow(.name, \.name, to: widths.name + share)
        grow(.url, \.url, to: widths.url + share)
        widths.health += spare
        return layout(of: narrow.visible, width: width, widths)
    }

    /// The width of a table on a terminal of a hundred columns.
    private static let roomyWidth = 95

    /// Returns whether a column of URLs shows the methods, which are less important than hosts of usual length.
    func hasMethods(inColumnOf width: Int) -> Bool {
        width >= method + min(host, 16)
    }

    private func layout(of columns: [TableColumn], width: Int, _ widths: Widths) -> ColumnLayout<TableColumn> {
        let specs = columns.map { column -> ColumnLayout<TableColumn>.Spec in
            let order = column.dropOrder
            switch column {
            case .name:
                return .init(.name, minimum: max(8, widths.minNameWidth), ideal: max(8, widths.name + 1))
            case .group:
                return .init(.group, minimum: max(5, min(group, 12)), ideal: max(5, min(group, 20)), dropOrder: order)
            case .url:
                return .init(
                    .url,
                    minimum: min(max(url, 3), widths.minURLWidth),
                    weight: 2,
                    maximum: widths.url + 1,
                    dropOrder: order
                )
            case .address:
                return .init(.address, minimum: 15, weight: 1, maximum: 26, dropOrder: order)
            case .health:
                return .init(.health, minimum: widths.minHealthWidth, weight: 1, maximum: widths.health)
            case .last, .min, .mean, .p95, .max, .jitter, .sent, .availability, .last24Hours, .last7Days, .last30Days,
                .last90Days, .since:
                let isFull = column == sorted && column.heading.count >= 6
                return .init(column, minimum: isFull ? 7 : 6, dropOrder: order)
            case .loss:
                return .init(.loss, minimum: 5, dropOrder: order)
            case .chart:
                return .init(.chart, minimum: widths.chart.cells + column.indent, dropOrder: order)
            }
        }
        return ColumnLayout(specs, width: width, gap: 1)
    }
}
