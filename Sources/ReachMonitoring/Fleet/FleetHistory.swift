/// What servers say about the past of a target of the fleet.
public struct FleetHistory: Sendable, Hashable {
    /// A time in which a quorum of the vantage points saw the target down.
    public struct Outage: Sendable, Hashable {
        /// When it began, since the start of the program; negative before it.
        public let start: Duration
        /// How long it lasted, in whole time points.
        public let length: Duration

        /// Creates an outage.
        public init(start: Duration, length: Duration) {
            (self.start, self.length) = (start, length)
        }
    }

    /// The length of a time point: outages are as precise as that.
    public var step = Duration.zero
    /// The time from the first to the last time point that was reported; nil if there are none.
    public var span: Duration?
    /// The share of the reported time points in which at least one vantage point reached the target, 0…1.
    public var uptime: Double?
    /// The share of the probes that succeeded, 0…1.
    public var reachability: Double?
    /// The outages, the newest first.
    public var outages: [Outage] = []
    /// The verdicts of the last hour, oldest first.
    public var samples: [Sample] = []

    /// Creates an empty history.
    public init() {}
}

extension FleetHistory {
    /// Uptime, reachability and outages from the share of successful probes in each time point.
    ///
    /// The definitions are those of Grafana's Synthetic Monitoring: uptime is the share of the reported time points "that
    /// had at least one successful probe execution", reachability "the percentage of successful probe executions"
    /// (https://grafana.com/docs/grafana-cloud/testing/synthetic-monitoring/analyze-results/uptime-and-reachability). An
    /// outage consists of time points in which a quorum of the vantage points had more failures than successes.
    ///
    /// - Parameters:
    ///   - shares: the shares, 0…1, by time point and vantage point.
    ///   - step: the length of a time point.
    package mutating func record(_ shares: [Duration: [Double]], step: Duration, quorum: Quorum) {
        self.step = step
        (uptime, reachability, span, outages) = (nil, nil, nil, [])
        var (successful, reported, sum, count) = (0, 0, 0.0, 0)
        var open: Outage?
        for time in shares.keys.sorted() {
            let values = (shares[time] ?? []).filter(\.isFinite)
            guard !values.isEmpty else { continue }
            reported += 1
            if values.contains(where: { $0 > 0 }) { successful += 1 }
            sum += values.reduce(0) { $0 + min(1, max(0, $1)) }
            count += values.count
            let down = values.count { $0 < 0.5 }
            let isDown = quorum.needed(of: values.count).map { down >= $0 } ?? false
            switch (isDown, open) {
            case (true, nil): open = Outage(start: time - step, length: step)
            case (true, let outage?): open = Outage(start: outage.start, length: time - outage.start)
            case (false, let outage?):
                outages.insert(outage, at: 0)
                open = nil
            case (false, nil): break
            }
        }
        if let open { outages.insert(open, at: 0) }
        guard reported > 0, let first = shares.keys.min(), let last = shares.keys.max() else { return }
        uptime = Double(successful) / Double(reported)
        reachability = sum / Double(count)
        span = last - first + step
    }

    /// The verdicts as samples, from probes and round trips by time and vantage point.
    package mutating func record(
        probes: [Duration: [String: Double]],
        roundTrips: [Duration: [String: Double]],
        quorum: Quorum
    ) {
        samples = probes.sorted { $0.key < $1.key }.compactMap { time, values in
            let values = values.filter { $0.value.isFinite }
            guard let needed = quorum.needed(of: values.count) else { return nil }
            let down = values.count { $0.value <= 0 }
            guard down < needed else { return Sample(time: time, roundTrip: nil) }
            let times = (roundTrips[time] ?? [:]).filter { (values[$0.key] ?? 0) > 0 && $0.value.isFinite }
            let sorted = times.values.sorted(by: >)
            guard !sorted.isEmpty else { return Sample(replyWithoutRoundTripAt: time) }
            let middle = sorted[min(max(0, needed - down - 1), sorted.count - 1)]
            return Sample(time: time, roundTrip: .seconds(min(86_400, max(0, middle))))
        }
    }
}

extension Roster {
    /// Adds what is known of the time before the first sample of a target of the fleet.
    package mutating func restore(_ history: FleetHistory, of id: Target.ID) {
        var samples = SampleHistory(capacity: max(1, history.samples.count))
        for sample in history.samples { samples.append(sample) }
        restore([id: samples])
    }
}
