import Monitoring

/// How many round trips were how long, in the buckets of a histogram.
struct RoundTripBuckets: Sendable, Hashable {
    /// The upper ends of the buckets but the last, which has none: from a switch next door to what a person gives up on,
    /// two or three to a decade.
    static let bounds: [Duration] = [
        .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
        .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500),
        .seconds(1), .milliseconds(2_500), .seconds(5), .seconds(10),
    ]

    /// The bounds as values of `le`, in seconds, the last one included. They are written as OpenMetrics wants it in both
    /// formats, so that a series does not depend on the format.
    static let labels = bounds.map { "\($0.inSeconds)" } + ["+Inf"]

    /// The round trips in each bucket, those of smaller ones not included.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// All round trips together.
    private(set) var sum = Duration.zero

    /// Takes a round trip into account.
    mutating func record(_ roundTrip: Duration) {
        counts[Self.bounds.firstIndex { roundTrip <= $0 } ?? Self.bounds.count] += 1
        sum += roundTrip
    }
}
