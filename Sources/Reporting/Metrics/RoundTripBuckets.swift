import Monitoring

/// A histogram of round trips.
struct RoundTripBuckets: Sendable, Hashable {
    /// The upper bounds of all buckets but the last, which has none: from 50 µs to 10 s, two or three for each factor of ten.
    static let bounds: [Duration] = [
        .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500),
        .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
        .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500),
        .seconds(1), .milliseconds(2_500), .seconds(5), .seconds(10),
    ]

    /// The bounds as values of `le` in seconds, including the last one. Both formats use the spelling of OpenMetrics, so that
    /// a series does not depend on the format.
    static let labels = bounds.map { "\($0.inSeconds)" } + ["+Inf"]

    /// The number of round trips in each bucket, not cumulative.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all round trips.
    private(set) var sum = Duration.zero

    /// The number of round trips.
    var count: Int { counts.reduce(0, +) }

    /// Counts a round trip.
    mutating func record(_ roundTrip: Duration) {
        counts[Self.bounds.firstIndex { roundTrip <= $0 } ?? Self.bounds.count] += 1
        sum += roundTrip
    }
}
