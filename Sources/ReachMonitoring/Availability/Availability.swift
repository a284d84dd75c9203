import ReachBasics

/// How available a target was in a period.
///
/// Time in which the target was unknown, blocked, paused, in maintenance or not watched counts as neither up nor down: in
/// an outage, it neither counts for its length nor ends it. An outage begins when its first lost probe was sent, and ends
/// with the first reply.
package struct Availability: Sendable, Hashable {
    /// One outage, as far as it lies in the period.
    package struct Outage: Sendable, Hashable {
        /// When it began, which may be before the period.
        package var start: Duration
        /// When the target replied again; nil if it did not in the period.
        package var end: Duration?
        /// The time down in the period.
        package var length: Duration
        package var cause: String?
        /// What it has in common with others; nil if no common cause was named.
        package var commonCause: String?

        /// Why the target was down, and what the outage has in common with others.
        package var reason: String? {
            guard let commonCause else { return cause }
            return (cause.map { "\($0), " } ?? "") + "common cause: \(commonCause)"
        }
    }

    /// The time of each state in the period.
    package private(set) var times: [WatchedSpan.State: Duration] = [:]
    /// The outages, oldest first.
    package private(set) var outages: [Outage] = []
    /// The length of the period.
    package let length: Duration
    /// Whether time without a verdict counts as down, from the first record of the target on.
    private let countsUnknownAsDown: Bool

    /// Accounts for spans.
    ///
    /// - Parameters:
    ///   - spans: the spans of the target, also those before the period.
    ///   - start: when the period begins, since 1970.
    ///   - end: when it ends.
    ///   - countsUnknownAsDown: whether time without a verdict counts as down.
    package init(
        _ spans: [WatchedSpan],
        from start: Duration,
        until end: Duration,
        countingUnknownAsDown countsUnknownAsDown: Bool = false
    ) {
        self.countsUnknownAsDown = countsUnknownAsDown
        length = max(.zero, end - start)
        var open: Outage?
        var seen = min(end, max(start, spans.first?.start ?? end))
        for span in spans {
            let (from, until) = (max(span.start, start), min(span.end, end))
            let counted = max(.zero, until - from)
            if counted > .zero {
                times[span.state, default: .zero] += counted
                if from > seen { times[.unwatched, default: .zero] += from - seen }
                seen = max(seen, until)
            }
            guard span.start < end else { break }
            switch span.state {
            case .down:
                if open == nil {
                    open = Outage(start: span.start, end: nil, length: .zero, cause: span.cause)
                }
                open?.length += counted
                if let cause = span.cause { open?.cause = cause }
                if let commonCause = span.commonCause { open?.commonCause = commonCause }
            case .up, .degraded, .maintenance:
                guard let reply = span.state == .maintenance ? span.firstReply : span.start, reply < end else { break }
                if var outage = open {
                    outage.end = reply
                    if outage.length > .zero { outages.append(outage) }
                }
                open = nil
            case .unknown, .blocked, .paused, .unwatched:
                break
            }
        }
        if end > seen { times[.unwatched, default: .zero] += end - seen }
        if let open, open.length > .zero { outages.append(open) }
    }

    /// The time in which the target replied: up or degraded.
    package var up: Duration { (times[.up] ?? .zero) + (times[.degraded] ?? .zero) }

    /// The time degraded, which is time up too.
    package var degraded: Duration { times[.degraded] ?? .zero }

    /// Whether there is a record of the target in the period.
    package var hasRecord: Bool { times.contains { $0.key != .unwatched && $0.value > .zero } }

    /// The time down; time without a verdict too, if that counts as down.
    package var down: Duration {
        let down = times[.down] ?? .zero
        return countsUnknownAsDown ? down + uncounted : down
    }

    /// The time of planned work.
    package var maintenance: Duration { times[.maintenance] ?? .zero }

    /// The time without a verdict since the first record of the target.
    package var uncounted: Duration {
        let states: [WatchedSpan.State] = [.unknown, .blocked, .paused, .unwatched]
        return states.reduce(Duration.zero) { $0 + (times[$1] ?? .zero) }
    }

    /// The share of the time up in the time up or down, 0…1; nil without any such time.
    package var availability: Double? {
        let judged = up + down
        return judged > .zero ? up / judged : nil
    }

    /// The share of the period with a verdict, 0…1.
    package var coverage: Double {
        length > .zero ? (up + (times[.down] ?? .zero)) / length : 0
    }

    /// The longest outage.
    package var longest: Outage? {
        outages.max { $0.length < $1.length }
    }

    /// The causes of the outages, with the number of outages of each, the most frequent first: the common cause if one was
    /// named, otherwise the reason without its details.
    package var causes: [(cause: String, count: Int)] {
        let causes = outages.compactMap { outage in
            outage.commonCause
                ?? outage.cause.map { cause in
                    cause.firstRange(of: ", ").map { String(cause[..<$0.lowerBound]) } ?? cause
                }
        }
        return Dictionary(grouping: causes, by: \.self)
            .map { (cause: $0.key, count: $0.value.count) }
            .sorted { ($1.count, $0.cause) < ($0.count, $1.cause) }
    }

    /// The common causes of the outages, with the number of outages that each explains, the most frequent first.
    package var commonCauses: [(place: String, count: Int)] {
        Dictionary(grouping: outages.compactMap(\.commonCause), by: \.self)
            .map { (place: $0.key, count: $0.value.count) }
            .sorted { ($1.count, $0.place) < ($0.count, $1.place) }
    }

    /// The mean time to recover: the mean length of the outages that ended in the period.
    package var meanTimeToRecover: Duration? {
        let ended = outages.filter { $0.end != nil }
        return ended.isEmpty ? nil : ended.reduce(Duration.zero) { $0 + $1.length } / ended.count
    }

    /// The mean time between failures: the time up for each outage; nil without one of the two.
    package var meanTimeBetweenFailures: Duration? {
        outages.isEmpty || up == .zero ? nil : up / outages.count
    }
}
