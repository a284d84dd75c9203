import Monitoring

/// What is counted of one target.
struct Tally: Sendable, Hashable {
    /// The labels that all series of the target have, as they are written.
    var labels: String
    private(set) var replies = 0
    private(set) var timeouts = 0
    private(set) var failures = 0
    private(set) var faults = 0
    private(set) var roundTrips = RoundTripBuckets()
    /// When the newest probe ended that was sent, since the start of the program.
    private(set) var lastProbe: Duration?
    /// The newest HTTP status.
    private(set) var httpStatus: Int?
    private(set) var transitions: [Health: Int] = [:]
    private(set) var hookRuns: [HookSeries: Int] = [:]
    /// Which of the newest finished probes were lost, one bit each, the newest in the lowest.
    private var losses: UInt128 = 0
    private var finished = 0

    /// How a hook run ended, for one event.
    struct HookSeries: Sendable, Hashable {
        enum Status: String, Sendable, CaseIterable { case success, failure, dropped }

        let event: HookEvent
        let status: Status
    }

    init(labels: String) {
        self.labels = labels
    }

    /// The unanswered share of the newest finished probes, as many as the figures of a row cover; nil before the first.
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
        case .timeout:
            timeouts += 1
        case .failure(let failure):
            failures += 1
            httpStatus = failure.httpStatus ?? httpStatus
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
}
