/// Statistics of all round trips since the start, in bounded memory. The mean and the deviation use Welford's method
/// (B. P. Welford, Technometrics 4, 1962), which stays accurate for any number of values. Percentiles are off by less than
/// 1.6 %.
public struct RoundTripTotals: Sendable, Hashable {
    /// The number of round trips.
    public private(set) var count = 0
    /// Nanoseconds of the shortest round trip, and of the longest.
    private var least = Int64.max
    private var most = Int64.min
    private var average = 0.0
    private var squares = 0.0
    private var newest = 0.0
    private var differences = 0.0
    private var sketch = RoundTripSketch()

    /// Creates empty totals.
    public init() {}

    /// The shortest round trip; nil before the first.
    public var min: Duration? { count == 0 ? nil : .nanoseconds(least) }

    /// The longest round trip; nil before the first.
    public var max: Duration? { count == 0 ? nil : .nanoseconds(most) }

    /// The mean of the round trips; nil before the first.
    public var mean: Duration? {
        count == 0 ? nil : .nanoseconds(Int64(average.rounded()))
    }

    /// The population's standard deviation; nil before the first.
    public var deviation: Duration? {
        count == 0 ? nil : .nanoseconds(Int64((squares / Double(count)).squareRoot().rounded()))
    }

    /// The mean absolute difference of successive round trips, in arrival order; nil before the second.
    public var jitter: Duration? {
        count < 2 ? nil : .nanoseconds(Int64((differences / Double(count - 1)).rounded()))
    }

    /// The percentile of the round trips by nearest rank, at most 1/64 longer or shorter than the exact one; nil before
    /// the first round trip.
    ///
    /// - Parameter percent: 0…100.
    public func percentile(_ percent: Int) -> Duration? {
        // The middle of an outer bucket may lie outside of the range.
        sketch.percentile(percent).map { .nanoseconds(Swift.min(Swift.max($0, least), most)) }
    }

    /// Records a round trip.
    public mutating func record(_ roundTrip: Duration) {
        record(nanoseconds: roundTrip.nanoseconds)
    }

    mutating func record(nanoseconds: Int64) {
        let value = Double(nanoseconds)
        if count > 0 { differences += abs(value - newest) }
        newest = value
        count += 1
        least = Swift.min(least, nanoseconds)
        most = Swift.max(most, nanoseconds)
        let distance = value - average
        average += distance / Double(count)
        squares += distance * (value - average)
        sketch.record(nanoseconds: nanoseconds)
    }
}
