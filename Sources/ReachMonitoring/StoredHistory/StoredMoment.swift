/// What the history has of all targets around a moment: enough for the screen of that time.
public struct StoredMoment: Sendable {
    /// What the history has of one target that was watched then.
    package struct TargetMoment: Sendable, Hashable {
        /// The events until the moment that the state then follows from, oldest first.
        package var events: [HistoryEvent] = []
        /// The probes of the minutes around the moment, by their numbers since 1970, oldest first.
        package var minutes: [StoredMinute] = []
        /// The paths until the moment: the newest one, and the newest before it that reached the target.
        package var paths: [StoredPath] = []

        package init() {}
    }

    /// The moment, since 1970.
    package var time: Duration
    /// The targets that were watched.
    package var targets: [Target.ID: TargetMoment] = [:]
    /// The events of the day before and the day after, oldest first.
    package var events: [TargetEvent] = []
    /// The earliest time of which the history has anything, since 1970; nil if it has nothing.
    package var start: Duration?

    package init(at time: Duration) {
        self.time = time
    }

    /// The time before and after a moment whose minutes are read.
    package static let minutesBefore = Duration.seconds(360)
    package static let minutesAfter = Duration.seconds(120)
    /// The time before and after a moment whose events are read.
    package static let eventSpan = Duration.seconds(86_400)
}

/// The probes of a target in one minute.
package struct StoredMinute: Sendable, Hashable {
    /// The number of the minute since 1970.
    package let number: Int64
    package let figures: ProbeFigures

    package init(_ figures: ProbeFigures, number: Int64) {
        (self.figures, self.number) = (figures, number)
    }
}

/// A common cause of outages as the history has it.
package struct StoredCause: Sendable, Hashable {
    /// Its place: `silent hop after 10.1.0.1`.
    package let place: String
    /// The number of targets that it explained.
    package var count: Int
    /// When the first of their outages began, since 1970.
    package var since: Duration

    package init(_ place: String, count: Int, since: Duration) {
        (self.place, self.count, self.since) = (place, count, since)
    }
}

extension StoredMoment {
    /// The common causes that lasted, those with most targets first.
    package var causes: [StoredCause] {
        var causes: [String: StoredCause] = [:]
        for target in targets.values {
            let transition = target.events.last { $0.kind == .transition }
            guard let transition, transition.to == .down,
                let place = target.events.last(where: { $0.kind == .cause })?.detail,
                // The cause of an earlier outage is over.
                target.events.last(where: { $0.kind == .cause || $0.kind == .transition })?.kind == .cause
            else { continue }
            let since = transition.since ?? transition.time
            var cause = causes[place] ?? StoredCause(place, count: 0, since: since)
            cause.count += 1
            cause.since = min(cause.since, since)
            causes[place] = cause
        }
        return causes.values.sorted { ($1.count, $0.place) < ($0.count, $1.place) }
    }
}

/// When a target was down, by the changes of its health.
package struct DownTimes: Sendable {
    /// The changes, oldest first. Times are since 1970.
    private var changes: [(time: Duration, isDown: Bool)] = []
    /// Whether it was down before the first change.
    private var wasDown = false

    /// - Parameter events: the events of the target, oldest first.
    package init(_ events: [HistoryEvent] = []) {
        for event in events where event.kind == .transition {
            if changes.isEmpty { wasDown = event.from == .down }
            changes.append((event.since ?? event.time, event.to == .down))
        }
    }

    func contains(_ time: Duration) -> Bool { changes.last { $0.time <= time }?.isDown ?? wasDown }
}

extension SampleHistory {
    /// Samples that have the figures of minutes: their number, their losses and the percentiles of their round trips. The order
    /// in a minute is not stored: the target loses probes when it was down, and others as evenly as its round trips are spread.
    ///
    /// - Parameters:
    ///   - minutes: the minutes, oldest first.
    ///   - downTimes: when the target was down.
    ///   - wall: the wall time of the program's start, from which the times of samples are counted.
    package init(_ minutes: [StoredMinute], _ downTimes: DownTimes = DownTimes(), wall: WallTime) {
        let minutes = minutes.map { StoredMinute($0.figures.limited(to: Self.maxPerMinute), number: $0.number) }
        self.init(capacity: Swift.max(1, minutes.reduce(0) { $0 + $1.figures.sent }), reservesMemory: false)
        setPacking(false)
        for minute in minutes {
            let start = Duration.seconds(minute.number * 60)
            let count = minute.figures.sent
            let step = Duration.seconds(60) / Swift.max(1, count)
            let times = (0..<count).map { start + step * $0 + step / 2 }
            let isDown = times.map { minute.figures.lost > 0 && downTimes.contains($0) }
            let downCount = isDown.count(where: \.self)
            var down = EvenShare(of: Swift.min(minute.figures.lost, downCount), in: downCount)
            var other = EvenShare(of: Swift.max(0, minute.figures.lost - downCount), in: count - downCount)
            var reply = 0
            for (time, isDown) in zip(times, isDown) {
                if isDown ? down.next() : other.next() {
                    append(Sample(time: time - wall.start, roundTrip: nil))
                } else {
                    let (time, roundTrip) = (time - wall.start, minute.figures.roundTrip(ofReply: reply))
                    append(roundTrip.map { Sample(time: time, roundTrip: $0) } ?? Sample(replyWithoutRoundTripAt: time))
                    reply += 1
                }
            }
        }
    }
}

/// Spreads so many of a number of probes evenly over them.
private struct EvenShare {
    private let (share, count): (Int, Int)
    private var index = 0

    init(of share: Int, in count: Int) {
        (self.share, self.count) = (share, count)
    }

    /// Whether the next probe is one of them: as many before each as their share of those before it.
    mutating func next() -> Bool {
        defer { index += 1 }
        return (index + 1) * share / count > index * share / count
    }
}

extension SampleHistory {
    /// The most samples for a minute. A file of another machine may have any number.
    private static let maxPerMinute = 6_000
}

extension ProbeFigures {
    /// The figures of at most so many probes, with the same share of losses.
    fileprivate func limited(to count: Int) -> ProbeFigures {
        guard sent > count else { return self }
        return ProbeFigures(sent: count, lost: Int(Double(lost) / Double(sent) * Double(count)), roundTrips: roundTrips)
    }

    /// A round trip for each reply, so that all of them have the percentiles; nil without round trips. Between two percentiles, they
    /// are spread evenly, as by ``FigureSum``. The last one is the median.
    fileprivate func roundTrip(ofReply reply: Int) -> Duration? {
        guard let roundTrips, received > 0 else { return nil }
        let (middle, high) = (received.rank(ofPercentile: 50), received.rank(ofPercentile: 95))
        // Coprime steps visit each rank once, in an order without a trend.
        let step = Self.step(for: received)
        let rank = (middle - 1 - (received - 1 - reply) * step % received + received) % received + 1
        let (p50, p95, longest) = (roundTrips.p50.number, roundTrips.p95.number, roundTrips.longest.number)
        let number =
            switch rank {
            case ..<middle: p50 - (p95 - p50) * (middle - rank) / middle
            case middle: p50
            case ..<high: p50 + (p95 - p50) * (rank - middle) / (high - middle)
            case high where high < received: p95
            case ..<received: p95 + (longest - p95) * (rank - high) / (received - high)
            default: longest
            }
        return RoundTripBucket(number: max(0, number))?.roundTrip
    }

    private static func step(for count: Int) -> Int {
        let wanted = Swift.max(1, count * 5 / 8)
        return (wanted..<Swift.max(wanted + 1, count)).first { Self.divisor($0, count) == 1 } ?? 1
    }

    private static func divisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : divisor(other, one % other)
    }
}
