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
            RoundTripBucket(nanoseconds: values[max(1, (percent * values.count + 99) / 100) - 1])
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
/// Of the replies of each, 50 % count with its median, 45 % with its 95th percentile, 4 % with its 99th and 1 % with its
/// longest round trip. So no combined percentile is shorter than that of the probes themselves, and the combination of
/// one is itself.
package struct FigureSum: Sendable {
    package private(set) var sent = 0
    package private(set) var lost = 0
    private var weights = [Int](repeating: 0, count: RoundTripBucket.count)
    private var total = 0
    /// The first bucket that has a weight, and one past the last.
    private var (start, end) = (RoundTripBucket.count, 0)

    package init() {}

    package mutating func add(_ figures: ProbeFigures) {
        sent += figures.sent
        lost += figures.lost
        guard let roundTrips = figures.roundTrips, figures.received > 0 else { return }
        let count = figures.received
        total += 100 * count
        weights[roundTrips.p50.number] += 50 * count
        weights[roundTrips.p95.number] += 45 * count
        weights[roundTrips.p99.number] += 4 * count
        weights[roundTrips.longest.number] += count
        start = min(start, roundTrips.p50.number)
        end = max(end, roundTrips.longest.number + 1)
    }

    /// The combined figures; nil if there are no probes.
    package var figures: ProbeFigures? {
        guard sent > 0 else { return nil }
        guard total > 0, let longest = RoundTripBucket(number: end - 1) else {
            return ProbeFigures(sent: sent, lost: lost)
        }
        var shares = [50, 95, 99][...]
        var buckets: [RoundTripBucket] = []
        var sum = 0
        for number in start..<end where weights[number] > 0 {
            sum += weights[number]
            while let share = shares.first, sum * 100 >= share * total, let bucket = RoundTripBucket(number: number) {
                buckets.append(bucket)
                shares.removeFirst()
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
        (sent, lost, total) = (0, 0, 0)
        if start < end { for number in start..<end { weights[number] = 0 } }
        (start, end) = (RoundTripBucket.count, 0)
    }
}
