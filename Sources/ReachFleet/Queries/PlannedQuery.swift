/// A query that is due.
struct PlannedQuery: Sendable, Hashable, Identifiable {
    /// What a query is for.
    enum Purpose: Sendable, Hashable {
        /// The names of all metrics.
        case metricNames
        /// The names of all labels.
        case labelNames
        /// When each vantage point reported last.
        case reports
        /// The number of targets by group.
        case counts
        /// Which vantage points export only the series of targets.
        case summaries
        /// The failing targets, of one vantage point or of all.
        case failing(vantagePoint: String? = nil)
        /// All targets, of a fleet that is small enough.
        case all
        /// These targets, repeatedly.
        case rows([String])
        /// These targets, at once, since they are outdated.
        case outdatedRows([String])
        /// These targets as they were before they failed, at a time in seconds since 1970.
        case earlierRows([String], at: Double)
        /// The targets of a group.
        case group(String)
        /// When the vantage points of the last hour reported last.
        case earlierReports
        /// The targets of a vantage point that has ended, at the time of its last report, in seconds since 1970.
        case ended(vantagePoint: String, at: Double)
        /// When the outages of these targets began, in a window of ``OutageSearch``.
        case outageStarts(of: [String], window: Int)
        /// Values of the past of one target.
        case range(RangeQuery)

        /// Whether it is a range query.
        var isRange: Bool {
            if case .range = self { true } else { false }
        }

        /// Whether it is part of the ``Lookback``.
        var isOfLookback: Bool {
            switch self {
            case .earlierReports, .ended: true
            default: false
            }
        }

        /// The purpose as part of a sentence.
        var words: String {
            switch self {
            case .metricNames, .labelNames, .summaries: "names of metrics"
            case .reports, .earlierReports, .ended: "vantage points"
            case .counts: "counts"
            case .failing, .outageStarts: "failing targets"
            case .all, .rows, .outdatedRows, .group: "targets"
            case .earlierRows: "earlier targets"
            case .range: "history"
            }
        }
    }

    let id: Int
    let purpose: Purpose
    let request: QueryRequest
}

/// A request to the HTTP API of a server.
package struct QueryRequest: Sendable, Hashable {
    /// The path after the URL of the server: `/api/v1/query`.
    package let path: String
    /// The parameters in order, not encoded.
    package let parameters: [Parameter]
    /// The maximum time until the end of the answer.
    package let timeout: Duration
    /// What is kept of the answer.
    package let limits: QueryResultReader.Limits

    /// A name with its value.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The time for the transfer of the answer beyond the query's own timeout.
    private static let margin = Duration.seconds(2)

    /// A query for the values of an expression at a time, in seconds since 1970; nil for the present ones. The server cancels
    /// it after the timeout. All series are read: without a part of them, a target would have a wrong verdict. If they are
    /// too many bytes, the query fails.
    static func instant(_ expression: String, at time: Double? = nil, timeout: Duration) -> QueryRequest {
        let moment = time.map { [Parameter(name: "time", value: String($0))] } ?? []
        return QueryRequest(
            path: "/api/v1/query",
            parameters: [Parameter(name: "query", value: expression)] + moment + [
                Parameter(name: "timeout", value: "\(timeout.components.seconds)s"),
                Parameter(name: "stats", value: "true"),
            ],
            timeout: timeout + margin,
            limits: QueryResultReader.Limits(series: .max, points: 1)
        )
    }

    /// A query for the values of an expression over a span.
    static func range(_ expression: String, _ span: QuerySpan, timeout: Duration, series: Int) -> QueryRequest {
        QueryRequest(
            path: "/api/v1/query_range",
            parameters: [
                Parameter(name: "query", value: expression),
                Parameter(name: "start", value: String(span.start)),
                Parameter(name: "end", value: String(span.end)),
                Parameter(name: "step", value: String(span.step)),
                Parameter(name: "timeout", value: "\(timeout.components.seconds)s"),
                // Only newer servers have the limit; the others ignore it. One more shows that there are more.
                Parameter(name: "limit", value: String(series + 1)),
            ],
            timeout: timeout + margin,
            limits: QueryResultReader.Limits(series: series)
        )
    }

    /// A request for the names of all metrics, or of all labels.
    static func list(_ path: String, timeout: Duration) -> QueryRequest {
        QueryRequest(
            path: path,
            parameters: [Parameter(name: "limit", value: String(longestList))],
            timeout: timeout + margin,
            limits: QueryResultReader.Limits(series: longestList)
        )
    }

    private static let longestList = 50_000
}

/// The span of a range query, in whole seconds since 1970 by the server's clock.
struct QuerySpan: Sendable, Hashable {
    let start: Int64
    let end: Int64
    let step: Int64

    /// The maximum number of values of a series that Prometheus returns (web/api/v1: "exceeded maximum resolution of 11,000
    /// points per timeseries").
    static let maxPoints: Int64 = 11_000

    /// Creates a span that ends at a time. Start and end are multiples of the step, so that a later query has the same times.
    ///
    /// - Parameter step: the minimum step, in seconds. It is longer if there were too many values.
    init(endingAt end: Int64, seconds: Int64, step: Int64) {
        let seconds = max(1, seconds)
        let step = max(1, step, (seconds + Self.maxPoints - 2) / (Self.maxPoints - 1))
        self.step = step
        self.end = end / step * step
        start = self.end - seconds / step * step
    }
}

/// A range query for one target, by the server's clock.
struct RangeQuery: Sendable, Hashable {
    /// The kind of the values.
    enum Values: Sendable, Hashable {
        /// The share of probes that the target answered in each step, 0…1.
        case shares
        /// Whether the target answered.
        case probes
        /// Round trips in seconds.
        case roundTrips
    }

    let target: String
    let values: Values
    let span: QuerySpan
}
