import ReachMonitoring

/// The counters of one target.
struct Tally: Sendable, Hashable {
    /// The labels of all series of the target, escaped.
    var labels: String
    /// The name of the group, escaped.
    var group = ""
    /// The labels of the information about the target besides those of all series: URL and tags, without secrets and
    /// escaped.
    var information: String
    private(set) var replies = 0
    private(set) var timeouts = 0
    private(set) var failures = 0
    private(set) var faults = 0
    private(set) var roundTrips: RoundTripBuckets
    /// When the newest probe that was sent ended, since the start of the program.
    private(set) var lastProbe: Duration?
    /// The HTTP status of the newest probe, 0 if it had none; nil before the first status.
    private(set) var httpStatus: Int?
    /// When the peer's certificate expires, in seconds since 1970, if the newest probe that read it failed for its validity.
    private(set) var certificateExpiry: Int64?
    private(set) var transitions: [Health: Int] = [:]
    private(set) var hookRuns: [HookSeries: Int] = [:]
    private(set) var skippedHooks: [HookDropReason: Int] = [:]
    /// One bit for each of the newest finished probes, set if it was lost; the newest is the lowest bit.
    private var losses: UInt128 = 0
    private var finished = 0

    /// A series of hook runs: one event and one result.
    struct HookSeries: Sendable, Hashable {
        enum Status: String, Sendable, CaseIterable { case success, failure, dropped }

        let event: HookEvent
        let status: Status
    }

    init(labels: String, information: String, bounds: RoundTripBuckets.Bounds) {
        self.labels = labels
        self.information = information
        roundTrips = RoundTripBuckets(bounds)
    }

    /// Begins the histogram again with other bounds.
    mutating func setBounds(_ bounds: RoundTripBuckets.Bounds) {
        roundTrips = RoundTripBuckets(bounds)
    }

    /// The share of lost probes among the newest finished ones, as many as the statistics cover; nil before the first.
    var loss: Double? {
        finished == 0 ? nil : Double(losses.nonzeroBitCount) / Double(finished)
    }

    mutating func record(_ observation: Observation) {
        let outcome = observation.outcome
        switch outcome {
        case .reply(let reply):
            replies += 1
            if let roundTrip = reply.roundTrip { roundTrips.record(roundTrip) }
            httpStatus = reply.httpStatus ?? httpStatus
            certificateExpiry = nil
        case .timeout:
            timeouts += 1
            httpStatus = httpStatus.map { _ in 0 }
        case .failure(let failure):
            failures += 1
            httpStatus = failure.httpStatus ?? httpStatus.map { _ in 0 }
            certificateExpiry = failure.certificateExpiry ?? certificateExpiry
        case .fault:
            faults += 1
            return
        }
        lastProbe = observation.time
        losses = (losses << 1 | (outcome.isLoss ? 1 : 0)) & (1 << UInt128(Statistics.window) - 1)
        finished = min(finished + 1, Statistics.window)
    }

    mutating func record(_ transition: Transition) {
        transitions[transition.to, default: 0] += 1
    }

    mutating func record(_ series: HookSeries) {
        hookRuns[series, default: 0] += 1
    }

    mutating func record(_ drop: HookDrop) {
        skippedHooks[HookDropReason(drop), default: 0] += 1
    }
}

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
