import Monitoring

/// A histogram of round trips.
struct RoundTripBuckets: Sendable, Hashable {
    /// The upper bounds of all buckets but the last, which has none.
    struct Bounds: Sendable, Hashable {
        let durations: [Duration]
        /// The bounds as values of `le` in seconds, including the last one. Both formats use the spelling of OpenMetrics, so
        /// that a series does not depend on the format.
        let labels: [String]

        init(_ durations: [Duration]) {
            self.durations = durations
            labels = durations.map { "\($0.inSeconds)" } + ["+Inf"]
        }
    }

    let bounds: Bounds
    /// The number of round trips in each bucket, not cumulative.
    private(set) var counts: [Int]
    /// The sum of all round trips.
    private(set) var sum = Duration.zero

    init(_ bounds: Bounds) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.labels.count)
    }

    /// The number of round trips.
    var count: Int { counts.reduce(0, +) }

    /// Counts a round trip.
    mutating func record(_ roundTrip: Duration) {
        counts[bounds.durations.firstIndex { roundTrip <= $0 } ?? bounds.durations.count] += 1
        sum += roundTrip
    }
}
