/// The availability and the round trips of targets in a period.
package struct HistoryReport: Sendable {
    /// One target.
    package struct Row: Sendable {
        package let name: String
        package let url: String
        package let group: String?
        package let availability: Availability
        /// The availability that is required of the target.
        package let sla: ServiceLevel
        /// The probes in the period; nil if none is stored.
        package let figures: ProbeFigures?
        /// The changes of the round-trip level and of the loss rate that began in the period.
        package let shifts: ShiftTotals
        /// The worst state of each slice of the report's axis; nil without an axis.
        package let strip: [WatchedSpan.State]?

        package init(
            name: String,
            url: String,
            group: String?,
            availability: Availability,
            sla: ServiceLevel = .usual,
            figures: ProbeFigures?,
            shifts: ShiftTotals = ShiftTotals(),
            strip: [WatchedSpan.State]? = nil
        ) {
            (self.name, self.url, self.group, self.sla) = (name, url, group, sla)
            (self.availability, self.figures, self.shifts, self.strip) = (availability, figures, shifts, strip)
        }

        /// Whether something is known of the target in the period.
        var hasRecord: Bool { figures != nil || availability.hasRecord }

        /// How the availability compares with the required one; nil without a verdict.
        package var grade: ServiceLevel.Grade? {
            availability.availability.map { sla.grade(of: $0) }
        }
    }

    /// The title; nil for the usual one.
    package var title: String?
    /// The period, since 1970.
    package let start: Duration
    package let end: Duration
    /// Whether time without a verdict counts as down.
    package let countsUnknownAsDown: Bool
    /// All targets, in their order.
    package let rows: [Row]
    /// The order of the targets.
    package let order: ReportOrder
    /// The number of targets that are shown; nil for all.
    package var limit: Int?
    /// The slices of the strips; nil without strips.
    package let axis: StripAxis?

    package init(
        from start: Duration,
        until end: Duration,
        countingUnknownAsDown: Bool,
        rows: [Row],
        order: ReportOrder = .name,
        axis: StripAxis? = nil
    ) {
        (self.start, self.end, countsUnknownAsDown, self.axis) = (start, end, countingUnknownAsDown, axis)
        (self.order, self.rows) = (order, order.sorted(rows))
    }

    /// The targets that are shown.
    package var shown: ArraySlice<Row> { rows.prefix(limit ?? rows.count) }

    /// The targets that are shown, by group; one part without a group if they are not grouped.
    package var parts: [(group: String?, rows: ArraySlice<Row>)] {
        guard order == .settings, shown.contains(where: { $0.group != nil }) else { return [(nil, shown)] }
        var parts: [(group: String?, rows: ArraySlice<Row>)] = []
        for index in shown.indices {
            if let last = parts.indices.last, parts[last].group == shown[index].group {
                parts[last].rows = shown[parts[last].rows.startIndex...index]
            } else {
                parts.append((shown[index].group, shown[index...index]))
            }
        }
        return parts
    }

    /// The longest outages of all targets, the longest first.
    package func worstOutages(_ count: Int = 10) -> [(name: String, outage: Availability.Outage)] {
        let all = rows.flatMap { row in row.availability.outages.map { (name: row.name, outage: $0) } }
        return Array(
            all.sorted { ($1.outage.length, $0.outage.start) < ($0.outage.length, $1.outage.start) }.prefix(count)
        )
    }

    /// A common cause of outages in the period.
    package struct CauseTotal: Sendable, Hashable {
        /// What failed.
        package let place: String
        /// The number of outages that it explains, and that of their targets.
        package var outages = 0
        package var targets = 0
        /// The time down, summed over the targets.
        package var down = Duration.zero
    }

    /// The common causes of outages, those that explain most first.
    package var commonCauses: [CauseTotal] {
        var causes: [String: CauseTotal] = [:]
        for row in rows {
            for (place, outages) in Dictionary(grouping: row.availability.outages, by: \.commonCause) {
                guard let place else { continue }
                var cause = causes[place] ?? CauseTotal(place: place)
                cause.outages += outages.count
                cause.targets += 1
                cause.down += outages.reduce(.zero) { $0 + $1.length }
                causes[place] = cause
            }
        }
        return causes.values.sorted { ($1.outages, $1.down, $0.place) < ($0.outages, $0.down, $1.place) }
    }

    /// The changes of round-trip levels and loss rates by target and kind, the targets with the most first.
    package var shifts: [(name: String, total: ShiftTotal)] {
        let all = rows.flatMap { row in row.shifts.all.map { (name: row.name, total: $0) } }
        return all.sorted { ($1.total.count, $0.name, $0.total.kind) < ($0.total.count, $1.name, $1.total.kind) }
    }

    /// Whether a target was degraded.
    package var hasDegraded: Bool { rows.contains { $0.availability.degraded > .zero } }

    /// Whether there was planned work at a target.
    package var hasMaintenance: Bool { rows.contains { $0.availability.maintenance > .zero } }
}

/// A request of the screen to read the history.
public enum HistoryRequest: Sendable, Hashable {
    /// The past of a few targets.
    case pasts([ProbeRequest.Assignment])
    /// The past of a target, with its figures except those of the times in which this run of the program ran. Without such
    /// times, the figures end with its start.
    case figures(ProbeRequest.Assignment, without: [Range<Duration>] = [])
    /// The availability of targets over the times of ``TableColumn``.
    case availability([ProbeRequest.Assignment])
    /// The hook runs of targets in the last day.
    case hookRuns([ProbeRequest.Assignment])
    /// The probes of a target in the columns of a chart.
    case chart(ProbeRequest.Assignment, ChartPeriod)
    /// All targets at a moment before the start of the program, since 1970.
    case moment(Duration, [ProbeRequest.Assignment])

    /// The time whose past is read.
    package static let span = Duration.seconds(90 * 86_400)
}

/// An answer to a ``HistoryRequest``.
public enum HistoryAnswer: Sendable {
    /// The past of targets; a target without a record in that time has no spans.
    case pasts([Target.ID: TargetPast])
    /// The past of a target, with its figures.
    case figures(Target.ID, TargetPast)
    /// The availability of targets; those without a record are absent.
    case availability([Target.ID: PeriodAvailability])
    /// The hook runs of targets, as events.
    case hookRuns(StoredPast)
    /// The probes of a target in the columns of a chart.
    case chart(Target.ID, StoredChart)
    /// All targets at a moment.
    case moment(StoredMoment)
    /// The history cannot be read, for this reason; or the user has switched it off.
    case unreadable(String)
}

/// The past of a target, of the last 90 days.
public struct TargetPast: Sendable, Hashable {
    /// The spans, oldest first.
    package let spans: [WatchedSpan]
    /// The probes before the start of the program; nil if there are none, or if they were not read.
    package var figures: ProbeFigures?

    /// Creates a past without figures.
    public init(_ spans: [WatchedSpan]) {
        self.spans = spans
    }
}

/// The availability of a target over the times of ``TableColumn/availabilityColumns``.
public struct PeriodAvailability: Sendable, Hashable {
    private let shares: [Double?]

    /// Creates the availability of spans until now.
    package init(_ spans: [WatchedSpan], at now: Duration) {
        shares = TableColumn.availabilityColumns.map { column in
            column.period.flatMap { Availability(spans, from: now - $0, until: now).availability }
        }
    }

    /// The availability of a column, 0…1; nil without a verdict, and for other columns.
    package subscript(column: TableColumn) -> Double? {
        TableColumn.availabilityColumns.firstIndex(of: column).flatMap { shares[$0] }
    }
}
