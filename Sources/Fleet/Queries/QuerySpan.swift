/// The time of a range query, in whole seconds since 1970 by the server's clock.
package struct QuerySpan: Sendable, Hashable {
    package let start: Int64
    package let end: Int64
    package let step: Int64

    /// The most values of a series that Prometheus returns (web/api/v1: "exceeded maximum resolution of 11,000 points per
    /// timeseries").
    static let mostPoints: Int64 = 11_000

    /// A span that ends at a time. Start and end are multiples of the step, so that a later query has the same times.
    ///
    /// - Parameters:
    ///   - step: the step that is wanted, in seconds; a longer one if there were too many values.
    package init(endingAt end: Int64, seconds: Int64, step: Int64) {
        let seconds = max(1, seconds)
        let step = max(1, step, (seconds + Self.mostPoints - 2) / (Self.mostPoints - 1))
        self.step = step
        self.end = end / step * step
        start = self.end - seconds / step * step
    }

    /// The number of values of a series without gaps.
    package var points: Int64 { (end - start) / step + 1 }
}
