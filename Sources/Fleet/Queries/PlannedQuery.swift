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
        /// The failing targets.
        case failing
        /// All targets, of a fleet that is small enough.
        case all
        /// These targets.
        case rows([String])
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
            case .metricNames, .labelNames: "names of metrics"
            case .reports, .earlierReports, .ended: "vantage points"
            case .counts: "counts"
            case .failing, .outageStarts: "failing targets"
            case .all, .rows, .group: "targets"
            case .range: "history"
            }
        }
    }

    package let id: Int
    package let purpose: Purpose
    package let request: QueryRequest
}
