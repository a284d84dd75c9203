/// The statistics of a window of samples. Losses do not affect the mean round trip.
public struct Statistics: Sendable, Hashable {
    /// The number of finished probes that a row's statistics cover.
    public static let window = 100

    /// Finished probes: replies, timeouts and failures, but no faults and no void probes.
    public let sent: Int
    /// Probes with a proper reply.
    public let received: Int
    /// The newest round trip, if the newest probe was answered.
    public let last: Duration?
    /// The mean of the round trips.
    public let mean: Duration?
    /// The population's standard deviation of the round trips.
    public let deviation: Duration?
    /// The mean absolute difference of successive round trips, in arrival order (the idea of RFC 3550 §6.4.1, without
    /// its smoothing).
    public let jitter: Duration?
    /// The round trips in nanoseconds, the shortest first.
    private let sorted: [Int64]

    /// Computes the statistics of samples in arrival order.
    public init(_ samples: some Sequence<Sample>) {
        var sent = 0
        var received = 0
        var newest: Sample?
        var values: [Int64] = []
        values.reserveCapacity(samples.underestimatedCount)
        for sample in samples {
            sent += 1
            received += sample.isLoss ? 0 : 1
            newest = sample
            if let value = sample.nanoseconds { values.append(value) }
        }
        self.sent = sent
        self.received = received
        last = newest?.roundTrip

        if values.isEmpty {
            (mean, deviation) = (nil, nil)
        } else {
            let average = values.reduce(0) { $0 + Double($1) } / Double(values.count)
            let squares = values.reduce(0) { $0 + (Double($1) - average) * (Double($1) - average) }
            mean = .nanoseconds(Int64(average.rounded()))
            deviation = .nanoseconds(Int64((squares / Double(values.count)).squareRoot().rounded()))
        }
        jitter = Self.jitter(ofNanoseconds: values)
        values.sort()
        sorted = values
    }

    /// The jitter of round trips in nanoseconds, in arrival order; nil for fewer than two.
    static func jitter(ofNanoseconds values: [Int64]) -> Duration? {
        guard values.count > 1 else { return nil }
        let differences = zip(values, values.dropFirst()).reduce(0) { $0 + abs(Double($1.1) - Double($1.0)) }
        return .nanoseconds(Int64((differences / Double(values.count - 1)).rounded()))
    }

    /// The shortest round trip.
    public var min: Duration? { sorted.first.map { .nanoseconds($0) } }

    /// The longest round trip.
    public var max: Duration? { sorted.last.map { .nanoseconds($0) } }

    /// The loss rate: the share of finished probes without a proper reply, 0…1; nil before the first.
    public var loss: Double? {
        sent == 0 ? nil : Double(sent - received) / Double(sent)
    }

    /// The percentile of the round trips by nearest rank, which is a value that occurred (the ⌈percent/100 · n⌉-th
    /// smallest).
    ///
    /// - Parameter percent: 0…100.
    public func percentile(_ percent: Int) -> Duration? {
        guard !sorted.isEmpty else { return nil }
        let rank = (Swift.max(0, Swift.min(100, percent)) * sorted.count + 99) / 100
        return .nanoseconds(sorted[Swift.max(1, rank) - 1])
    }
}
