/// What all round trips since the start come to, in constant space: the mean and the deviation by Welford's method
/// (B. P. Welford, Technometrics 4, 1962), which loses no figures however many there are.
public struct RoundTripTotals: Sendable, Hashable {
    /// How many there were.
    public private(set) var count = 0
    /// Nanoseconds of the shortest and of the longest.
    private var least = Int64.max
    private var most = Int64.min
    private var average = 0.0
    private var squares = 0.0
    private var newest = 0.0
    private var differences = 0.0

    /// None yet.
    public init() {}

    /// The shortest; nil before the first.
    public var min: Duration? { count == 0 ? nil : .nanoseconds(least) }

    /// The longest; nil before the first.
    public var max: Duration? { count == 0 ? nil : .nanoseconds(most) }

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
    }
}
