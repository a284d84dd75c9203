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

    /// The percentile of the round trips by nearest rank, which is a value that occurred.
    ///
    /// - Parameter percent: 0…100.
    public func percentile(_ percent: Int) -> Duration? {
        sorted.isEmpty ? nil : .nanoseconds(sorted[sorted.count.rank(ofPercentile: percent) - 1])
    }
}

extension Int {
    /// The rank of a percentile among as many values, counted from one: ⌈percent/100 · n⌉, at least one.
    func rank(ofPercentile percent: Int) -> Int {
        Swift.max(1, (Swift.max(0, Swift.min(100, percent)) * self + 99) / 100)
    }
}

/// Counters since the start, or since the user reset them.
public struct Totals: Sendable, Hashable {
    /// Finished probes: replies, timeouts and failures.
    public internal(set) var sent = 0
    /// Probes with a proper reply.
    public internal(set) var received = 0
    /// Replies that arrived after their probe had timed out.
    public internal(set) var late = 0
    /// Second replies to one probe.
    public internal(set) var duplicate = 0
    /// Probes that this machine could not send. They are not losses.
    public internal(set) var faults = 0
    /// The round trips of the replies.
    public internal(set) var roundTrips = RoundTripTotals()
    /// Outages that began.
    public internal(set) var outages = 0
    /// The longest outage that has ended.
    public internal(set) var longestOutage = Duration.zero
    /// The total length of the ended outages.
    public internal(set) var endedOutage = Duration.zero
    /// The number of outages that have ended.
    public internal(set) var endedOutages = 0
    /// Time in up or degraded, without the present health.
    public internal(set) var reachable = Duration.zero
    /// Time in down, without the present health.
    public internal(set) var unreachable = Duration.zero

    /// Creates zero counters.
    package init() {}

    /// The loss rate: the share of finished probes without a proper reply, 0…1; nil before the first.
    public var loss: Double? {
        sent == 0 ? nil : Double(sent - received) / Double(sent)
    }

    /// The mean time to recover: the mean length of the ended outages.
    public var meanTimeToRecover: Duration? {
        endedOutages == 0 ? nil : endedOutage / endedOutages
    }

    /// The totals of outages alone, without probes and round trips.
    var ofOutages: Totals {
        var totals = self
        (totals.sent, totals.received, totals.late, totals.duplicate, totals.faults) = (0, 0, 0, 0, 0)
        totals.roundTrips = RoundTripTotals()
        return totals
    }

    /// Counts the probes of later totals, except the samples since.
    mutating func countProbes(of totals: Totals, before samples: Slice<SampleHistory>) {
        let replies = samples.count { !$0.isLoss }
        sent = max(0, totals.sent - samples.count)
        received = max(0, totals.received - replies)
    }

    mutating func record(_ outcome: Outcome) {
        switch outcome {
        case .reply(let reply):
            sent += 1
            received += 1
            if let nanoseconds = reply.nanoseconds { roundTrips.record(nanoseconds: nanoseconds) }
        case .timeout, .failure:
            sent += 1
        case .fault:
            faults += 1
        }
    }

    mutating func record(_ transition: Transition) {
        if transition.to == .down { outages += 1 }
        // An outage that began before a reset does not count.
        if let outage = transition.outage, endedOutages < outages {
            endedOutages += 1
            endedOutage += outage
            longestOutage = max(longestOutage, outage)
        }
    }

    /// Adds the time of a health that has ended.
    mutating func close(_ health: Health, after lasted: Duration) {
        switch health {
        case .up, .degraded: reachable += lasted
        case .down: unreachable += lasted
        case .unknown: break
        }
    }
}

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
    package init() {}

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
    package mutating func record(_ roundTrip: Duration) {
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
