/// A request of the screen to read the history.
public enum HistoryRequest: Sendable, Hashable {
    /// The past of a few targets.
    case pasts([ProbeRequest.Assignment])
    /// The past of a target, with its figures but those of times at which this run of the program has run; without any,
    /// with those before its start.
    case figures(ProbeRequest.Assignment, without: [Range<Duration>] = [])
    /// The availability of targets over the times of ``TableColumn``.
    case availability([ProbeRequest.Assignment])
    /// The hook runs of targets in the last day.
    case hookRuns([ProbeRequest.Assignment])

    /// The time whose past is read.
    package static let span = Duration.seconds(90 * 86_400)
}

/// What the history says about targets.
public enum HistoryAnswer: Sendable {
    /// The past of targets; a target without a record in that time has no spans.
    case pasts([Target.ID: TargetPast])
    /// The past of a target, with its figures.
    case figures(Target.ID, TargetPast)
    /// The availability of targets; those without a record are absent.
    case availability([Target.ID: PeriodAvailability])
    /// The hook runs of targets, as events.
    case hookRuns(StoredPast)
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

/// The availability of a target over the times of ``TableColumn/ofHistory``.
public struct PeriodAvailability: Sendable, Hashable {
    private let shares: [Double?]

    /// Creates the availability of spans until now.
    package init(_ spans: [WatchedSpan], at now: Duration) {
        shares = TableColumn.ofHistory.map { column in
            column.period.flatMap { Availability(spans, from: now - $0, until: now).availability }
        }
    }

    /// The availability of a column, 0…1; nil without a verdict, and for other columns.
    package subscript(column: TableColumn) -> Double? {
        TableColumn.ofHistory.firstIndex(of: column).flatMap { shares[$0] }
    }
}
