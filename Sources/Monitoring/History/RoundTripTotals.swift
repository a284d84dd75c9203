/// What all round trips since the start come to, in constant space: the mean and the deviation by Welford's method
/// (B. P. Welford, Technometrics 4, 1962), which loses no figures however many there are.
public struct RoundTripTotals: Sendable, Hashable {
    /// How many there were.
    public private(set) var count = 0
    /// The shortest.
    public private(set) var min: Duration?
    /// The longest.
    public private(set) var max: Duration?
    private var average = 0.0
    private var squares = 0.0
    private var newest = 0.0
    private var differences = 0.0

    /// None yet.
    public init() {}

    /// The mean; nil before the first.
    public var mean: Duration? {
        count == 0 ? nil : .nanoseconds(Int64(average.rounded()))
    }

    /// The population's standard deviation; nil before the first.
    public var deviation: Duration? {
        count == 0 ? nil : .nanoseconds(Int64((squares / Double(count)).squareRoot().rounded()))
    }

    /// The mean absolute difference of successive ones, in arrival order; nil before the second.
    public var jitter: Duration? {
        count < 2 ? nil : .nanoseconds(Int64((differences / Double(count - 1)).rounded()))
    }

    /// Takes the next one into account.
    public mutating func record(_ roundTrip: Duration) {
        let value = Double(roundTrip.nanoseconds)
        if count > 0 { differences += abs(value - newest) }
        newest = value
        count += 1
        min = Swift.min(min ?? roundTrip, roundTrip)
        max = Swift.max(max ?? roundTrip, roundTrip)
        let distance = value - average
        average += distance / Double(count)
        squares += distance * (value - average)
    }
}
