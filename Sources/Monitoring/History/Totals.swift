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
    public init() {}

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
    mutating func countProbes(of totals: Totals, before samples: Slice<History>) {
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
        // An outage that began before a reset is none of these.
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
