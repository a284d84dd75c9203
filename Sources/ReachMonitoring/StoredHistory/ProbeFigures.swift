/// The probes of one target in one minute or hour.
package struct ProbeFigures: Sendable, Hashable {
    /// Finished probes.
    package var sent: Int
    /// Probes without a proper reply.
    package var lost: Int
    /// The round trips of the replies; nil if none had one.
    package var roundTrips: RoundTrips?

    /// Percentiles of round trips by nearest rank, off by less than 1.6 %. They ascend.
    package struct RoundTrips: Sendable, Hashable {
        package var p50: RoundTripBucket
        package var p95: RoundTripBucket
        package var p99: RoundTripBucket
        package var longest: RoundTripBucket

        package init(
            p50: RoundTripBucket,
            p95: RoundTripBucket,
            p99: RoundTripBucket,
            longest: RoundTripBucket
        ) {
            self.p50 = p50
            self.p95 = max(p50, p95)
            self.p99 = max(self.p95, p99)
            self.longest = max(self.p99, longest)
        }
    }

    package init(sent: Int, lost: Int, roundTrips: RoundTrips? = nil) {
        self.sent = sent
        self.lost = min(lost, sent)
        self.roundTrips = roundTrips
    }

    /// The figures of samples.
    package init(_ samples: some Sequence<Sample>) {
        var (sent, lost) = (0, 0)
        var values: [Int64] = []
        values.reserveCapacity(samples.underestimatedCount)
        for sample in samples {
            sent += 1
            if sample.isLoss { lost += 1 }
            if let value = sample.nanoseconds { values.append(value) }
        }
        self.init(sent: sent, lost: lost)
        values.sort()
        guard let last = values.last else { return }
        let percentile = { (percent: Int) in
            RoundTripBucket(nanoseconds: values[values.count.rank(ofPercentile: percent) - 1])
        }
        roundTrips = RoundTrips(
            p50: percentile(50),
            p95: percentile(95),
            p99: percentile(99),
            longest: RoundTripBucket(nanoseconds: last)
        )
    }

    /// The figures of all probes since the start of the program.
    package init(_ totals: Totals) {
        self.init(sent: totals.sent, lost: totals.sent - totals.received)
        let all = totals.roundTrips
        guard let p50 = all.percentile(50), let p95 = all.percentile(95), let p99 = all.percentile(99),
            let longest = all.max
        else { return }
        roundTrips = RoundTrips(
            p50: RoundTripBucket(p50),
            p95: RoundTripBucket(p95),
            p99: RoundTripBucket(p99),
            longest: RoundTripBucket(longest)
        )
    }

    /// The replies.
    package var received: Int { sent - lost }
}

/// Combines figures of several minutes or hours.
///
/// Between two percentiles of each, its replies count as evenly spread over the buckets, and so on a logarithmic scale. Those
/// below the median are spread as far below it as the 95th percentile is above. The combination of one is itself.
package struct FigureSum: Sendable {
    package private(set) var sent = 0
    package private(set) var lost = 0
    /// By how much more replies each bucket has than the one before it.
    private var steps = [Double](repeating: 0, count: RoundTripBucket.count + 1)
    private var received = 0
    /// The first bucket with replies, and one past the last.
    private var (start, end) = (RoundTripBucket.count, 0)

    package init() {}

    package mutating func add(_ figures: ProbeFigures) {
        sent += figures.sent
        lost += figures.lost
        guard let roundTrips = figures.roundTrips, figures.received > 0 else { return }
        received += figures.received
        let replies = Double(figures.received)
        let (p50, p95, p99) = (roundTrips.p50.number, roundTrips.p95.number, roundTrips.p99.number)
        spread(0.5 * replies, above: max(-1, 2 * p50 - p95), through: p50)
        spread(0.45 * replies, above: p50, through: p95)
        spread(0.04 * replies, above: p95, through: p99)
        spread(0.01 * replies, above: p99, through: roundTrips.longest.number)
    }

    private mutating func spread(_ replies: Double, above low: Int, through high: Int) {
        let first = min(low + 1, high)
        let each = replies / Double(high + 1 - first)
        steps[first] += each
        steps[high + 1] -= each
        start = min(start, first)
        end = max(end, high + 1)
    }

    /// The combined figures; nil if there are no probes.
    package var figures: ProbeFigures? {
        guard sent > 0 else { return nil }
        guard received > 0, let longest = RoundTripBucket(number: end - 1) else {
            return ProbeFigures(sent: sent, lost: lost)
        }
        // A little less, since the sums are rounded.
        var limits = [0.5, 0.95, 0.99].map { $0 * Double(received) * (1 - 1e-9) }[...]
        var buckets: [RoundTripBucket] = []
        var (replies, sum) = (0.0, 0.0)
        for number in start..<end {
            replies += steps[number]
            sum += replies
            while let limit = limits.first, sum >= limit, let bucket = RoundTripBucket(number: number) {
                buckets.append(bucket)
                limits.removeFirst()
            }
        }
        while buckets.count < 3 { buckets.append(longest) }
        return ProbeFigures(
            sent: sent,
            lost: lost,
            roundTrips: .init(p50: buckets[0], p95: buckets[1], p99: buckets[2], longest: longest)
        )
    }

    /// Removes all figures.
    package mutating func removeAll() {
        (sent, lost, received) = (0, 0, 0)
        if start < end { for number in start...end { steps[number] = 0 } }
        (start, end) = (RoundTripBucket.count, 0)
    }
}
