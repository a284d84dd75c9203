/// A query that is due.
package struct PlannedQuery: Sendable, Hashable, Identifiable {
    /// What a query is for.
    package enum Purpose: Sendable, Hashable {
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
        /// These targets, again and again.
        case rows([String])
        /// These targets, at once: what is known of them is out of date.
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
        case range(RangeQuestion)

        /// Whether it asks for values of the past.
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
        package var words: String {
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

    package let id: Int
    package let purpose: Purpose
    package let request: QueryRequest
}
