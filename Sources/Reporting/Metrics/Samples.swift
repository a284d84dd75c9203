import Monitoring

/// The samples of one family, a line each: name, labels and value.
struct Samples {
    let family: MetricFamily
    private let name: String
    var text = ""

    init(of family: MetricFamily) {
        self.family = family
        name = family.sampleName
    }

    /// Adds a sample with escaped labels.
    mutating func add(
        _ value: some LosslessStringConvertible,
        _ labels: String,
        _ more: String = "",
        suffix: String = ""
    ) {
        text += name
        text += suffix
        text += "{"
        text += labels
        text += more
        text += "} "
        text += String(value)
        text += "\n"
    }

    /// Adds the samples of a target. An unknown gauge has no sample; everything else exists from the start.
    mutating func add(_ row: Exposition.Row) {
        let (tally, labels) = (row.tally, row.tally.labels)
        switch family {
        case .up:
            if row.health != .unknown, !row.isBlocked { add(row.health.isReachable ? 1 : 0, labels) }
        case .health:
            for health in Health.allCases {
                add(health == row.health ? 1 : 0, labels, #",health="\#(health.rawValue)""#)
            }
        case .blocked:
            add(row.isBlocked ? 1 : 0, labels)
        case .paused:
            add(row.isPaused ? 1 : 0, labels)
        case .flapping:
            add(row.isFlapping ? 1 : 0, labels)
        case .faults:
            add(tally.faults, labels)
        case .lastProbe:
            if let time = row.lastProbe { add(time.millisecondPrecision, labels) }
        case .probes:
            add(tally.replies, labels, #",outcome="reply""#)
            add(tally.timeouts, labels, #",outcome="timeout""#)
            add(tally.failures, labels, #",outcome="failure""#)
            add(tally.faults, labels, #",outcome="fault""#)
        case .roundTrip:
            if row.hasRoundTrips { add(tally.roundTrips, labels) }
        case .phase:
            for time in row.phases {
                add(time.duration.inSeconds, labels, #",phase="\#(time.phase.rawValue)""#)
            }
        case .transitions:
            for health in Health.allCases where health != .unknown {
                add(tally.transitions[health] ?? 0, labels, #",to="\#(health.rawValue)""#)
            }
        case .loss:
            if let loss = tally.loss { add(loss, labels) }
        case .certificate:
            if let expiry = row.certificateExpiry { add(expiry, labels) }
        case .httpStatus:
            if let status = tally.httpStatus { add(status, labels) }
        case .hookRuns:
            for event in row.hookEvents {
                for status in Tally.HookSeries.Status.allCases {
                    let count = tally.hookRuns[Tally.HookSeries(event: event, status: status)] ?? 0
                    add(count, labels, #",event="\#(event.rawValue)",status="\#(status.rawValue)""#)
                }
            }
        case .buildInfo:
            // One sample for the program, in the header.
            break
        }
    }

    private mutating func add(_ roundTrips: RoundTripBuckets, _ labels: String) {
        var total = 0
        for (count, bound) in zip(roundTrips.counts, RoundTripBuckets.labels) {
            total += count
            add(total, labels, #",le="\#(bound)""#, suffix: "_bucket")
        }
        add(roundTrips.sum.inSeconds, labels, suffix: "_sum")
        add(total, labels, suffix: "_count")
    }
}
