/// Decides the health of one target from its outcomes, one at a time.
///
/// ```
///                 first reply (slow: degraded)
///   unknown ─────────────────────────────────────────────▶ up ◀──── back under for 3 ────┐
///      │                                                   │  ── over `slow` for 3 ──▶ degraded
///      └── fall losses ──▶ down ◀──────── fall losses ─────┴──────────────────────────────┘
///                           └──── rise replies ───▶ up (or degraded, if they are slow)
///
///   any ── fall faults ──▶ unknown
/// ```
public struct Judge: Sendable, Hashable {
    // Every target has a judge: the order of the properties leaves the least padding.

    /// The present health.
    public private(set) var health = Health.unknown
    /// The reason of the newest losses in a row if it is another than that of the streak, nil for timeouts; and their number.
    private var rivalReason: Reason?
    private var rivalCount: UInt16 = 0
    /// The gaps in the streak of replies.
    private var gaps = ReplyGaps()
    /// The length of the streak: positive for replies, negative for losses.
    private var runLength: Int32 = 0
    /// When the present health began, since the start of the program. An outage begins when its first lost probe was
    /// sent, and ends with the first reply. A change between up and degraded begins when its newest answered probe was sent.
    public private(set) var since: Duration
    /// The streak of slow or quick replies, which decides between up and degraded. A reply with a warning counts as
    /// slow.
    private var pace = Pace.none
    /// Whether losses made the target degraded.
    private var isDegradedByLoss = false
    private var recent = RecentLosses()
    /// The failure of the losses; nil for timeouts. See ``failure(after:under:)``.
    private var failure: Shared<Failure>?
    /// When the first lost probe of the streak was sent, or its first reply arrived, in nanoseconds.
    private var streakStart: Int64 = 0
    /// When the newest answered probe was sent, in nanoseconds; losses before it are superseded.
    private var newestReply = Int64.min
    /// When the newest lost probe of the streak was sent, in nanoseconds.
    private var newestLoss = Int64.min

    /// The current streak of equal outcomes.
    public private(set) var streak: Streak {
        get {
            switch runLength {
            case 0: .none
            case 1...: .replies(gaps.consecutive(of: Int(runLength)))
            default: .losses(-Int(runLength), failure?.value)
            }
        }
        set {
            switch newValue {
            case .none: (runLength, failure) = (0, nil)
            case .replies(let count): (runLength, failure) = (Int32(clamping: count), nil)
            case .losses(let count, let newest):
                (runLength, failure) = (-Int32(clamping: count), newest.map(Shared.init))
            }
        }
    }

    /// Consecutive outcomes of one kind.
    public enum Streak: Sendable, Hashable {
        /// No outcome was judged yet.
        case none
        /// The last probes, in the order of sending, were answered.
        case replies(Int)
        /// The last outcomes were losses; their failure, nil for timeouts. Their first reason stays until another one lasts.
        case losses(Int, Failure?)
    }

    private enum Pace: Sendable, Hashable {
        case none
        case slow(Int32)
        case quick(Int32)
    }

    /// Creates a judge with the health unknown.
    public init(since: Duration) {
        self.since = since
    }

    /// Creates a judge with a health of the history. Of the outcomes, only the failure of an outage is known; nil for timeouts.
    init(_ health: Health, since: Duration, failure: Failure? = nil) {
        (self.health, self.since) = (health, since)
        if health == .down { (streak, streakStart) = (.losses(1, failure), since.nanoseconds) }
    }

    /// Dates back the beginning of the present health: others knew the target earlier, or an earlier run of the program.
    mutating func begin(at time: Duration) {
        since = min(since, time)
    }

    /// Whether the newest outcomes are losses.
    var isLosing: Bool { runLength < 0 }

    /// The failure of the present losses; nil for a reply or timeouts.
    var lossFailure: Failure? { failure?.value }

    /// When the first lost probe of the present streak was sent.
    var losingSince: Duration { .nanoseconds(streakStart) }

    /// When the newest lost probe was sent.
    var newestLossSent: Duration { .nanoseconds(newestLoss) }

    /// Whether a probe was answered that was sent at `time` or later.
    func hasReplied(since time: Duration) -> Bool { newestReply >= max(0, time.nanoseconds) }

    /// Whether the newest loss is the first of its streak.
    var isFirstLoss: Bool { runLength == -1 }

    /// The change of health that a streak below its threshold leads to.
    public func pending(under thresholds: Thresholds) -> Pending? {
        switch (streak, pace) {
        case (.losses(let count, _), _) where health != .down:
            // While a verdict is held back, the losses may exceed the threshold.
            Pending(toward: .down, streak: min(count, thresholds.fall), threshold: thresholds.fall)
        case (.replies(let count), _) where health == .down:
            Pending(toward: .up, streak: count, threshold: thresholds.rise)
        case (.replies, .slow(let count)) where health == .up:
            Pending(toward: .degraded, streak: Int(count), threshold: thresholds.slowStreak)
        default:
            nil
        }
    }

    /// Records an outcome. A fault is ignored, since it is a problem of this machine.
    ///
    /// Outcomes of overlapping probes arrive out of order: a timeout is known later than the reply to a probe that was
    /// sent after it. Streaks follow the order in which the probes were sent.
    ///
    /// - Parameters:
    ///   - outcome: how the probe ended.
    ///   - time: when the outcome was known.
    ///   - sent: when the probe was sent; `time` if nil.
    ///   - number: the number of the probe among those of its target.
    ///   - thresholds: the thresholds of the target.
    ///   - defersVerdict: whether the verdict on a loss waits for ``conclude(at:under:)``.
    /// - Returns: the transition, if the health changed.
    public mutating func record(
        _ outcome: Outcome,
        at time: Duration,
        sent: Duration? = nil,
        number: Int = 0,
        under thresholds: Thresholds,
        defersVerdict: Bool = false
    ) -> Transition? {
        let sent = (sent ?? time).nanoseconds
        switch outcome {
        case .fault:
            gaps.skip(number)
            return nil
        case .timeout:
            recordLoss(nil, of: number, sent: sent, under: thresholds)
        case .failure(let failure):
            recordLoss(failure, of: number, sent: sent, under: thresholds)
        case .reply(let reply):
            return recordReply(reply, to: number, at: time, sent: sent, under: thresholds)
                ?? changeByLoss(at: time, under: thresholds)
        }
        return defersVerdict ? nil : conclude(at: time, under: thresholds)
    }

    /// Records a loss. A loss sent before the newest reply counts for the loss rate, and begins no streak of losses.
    private mutating func recordLoss(
        _ newest: Failure?,
        of number: Int,
        sent: Int64,
        under thresholds: Thresholds
    ) {
        recent.record(isLoss: true)
        guard sent >= newestReply else { return interruptReplies(byLossOf: number, sent: sent) }
        if thresholds.slowStreak > 0 { pace = .none }
        if case .losses(let before, let failure) = streak {
            let shown = sent < newestLoss ? failure : self.failure(after: newest, under: thresholds)
            streak = .losses(before + 1, shown)
            streakStart = min(streakStart, sent)
            newestLoss = max(newestLoss, sent)
        } else {
            streak = .losses(1, newest)
            (streakStart, newestLoss, rivalCount) = (sent, sent, 0)
        }
    }

    /// Cuts the streak of replies to those whose probes were sent after a lost one.
    private mutating func interruptReplies(byLossOf number: Int, sent: Int64) {
        guard runLength > 0 else { return }
        let later = gaps.recordLoss(of: number, among: Int(runLength))
        guard later < runLength else { return }
        runLength = Int32(later)
        streakStart = max(streakStart, sent)
    }

    /// The failure of a streak of losses after its newest loss. A host that is away may cause timeouts and ICMP errors in
    /// turn: the reason of the first loss stays, unless another one lasts for `fall` probes in a row.
    private mutating func failure(after newest: Failure?, under thresholds: Thresholds) -> Failure? {
        guard newest?.reason != failure?.value.reason else {
            rivalCount = 0
            return newest == failure?.value ? failure?.value : newest
        }
        let isSame = rivalCount > 0 && rivalReason == newest?.reason
        rivalCount = isSame ? UInt16(clamping: Int(rivalCount) + 1) : 1
        rivalReason = newest?.reason
        guard rivalCount >= max(2, thresholds.fall) else { return failure?.value }
        rivalCount = 0
        return newest
    }

    /// Whether a probe that was sent at this time belongs to the present streak of losses.
    func isLosing(sent: Duration) -> Bool { isLosing && sent.nanoseconds >= streakStart }

    /// Gives the verdict on the losses so far, if they reach a threshold.
    public mutating func conclude(at time: Duration, under thresholds: Thresholds) -> Transition? {
        if case .losses(let count, let failure) = streak, health != .down, count >= thresholds.fall {
            return change(to: .down, at: time, since: streakStart, because: .losses(count, failure))
        }
        return changeByLoss(at: time, under: thresholds)
    }

    /// Whether ``conclude(at:under:)`` would give a verdict.
    public func isVerdictDue(under thresholds: Thresholds) -> Bool {
        var judge = self
        return judge.conclude(at: since, under: thresholds) != nil
    }

    /// Changes the health to unknown, after faults in a row.
    ///
    /// - Parameter start: when the first fault occurred.
    mutating func withdraw(at time: Duration, since start: Duration, because cause: Cause) -> Transition {
        forgetStreak()
        return change(to: .unknown, at: time, since: start.nanoseconds, because: cause)
    }

    /// Ends the streak, after a time in which the target's state is unknown.
    public mutating func forgetStreak() {
        streak = .none
        pace = .none
    }

    /// Continues the streaks with later samples. The failure of losses stays, and warnings of replies are not known.
    ///
    /// - Parameter isWhole: whether these are all later samples. Otherwise the streaks are counted from the first of them.
    mutating func proceed(with samples: Slice<SampleHistory>, isWhole: Bool, under thresholds: Thresholds) {
        let failure = lossFailure
        gaps = ReplyGaps()
        if !isWhole { forgetStreak() }
        for sample in samples {
            if sample.isLoss {
                streak = .losses(max(0, -Int(runLength)) + 1, failure)
                pace = .none
            } else {
                streak = .replies(max(0, Int(runLength)) + 1)
                proceedPace(isSlow: thresholds.slow.map { sample.roundTrip ?? .zero > $0 } ?? false)
            }
        }
    }

    private mutating func proceedPace(isSlow: Bool) {
        switch pace {
        case .slow(let before) where isSlow: pace = .slow(before == .max ? before : before + 1)
        case .quick(let before) where !isSlow: pace = .quick(before == .max ? before : before + 1)
        default: pace = isSlow ? .slow(1) : .quick(1)
        }
    }

    private mutating func recordReply(
        _ reply: Reply,
        to number: Int,
        at time: Duration,
        sent: Int64,
        under thresholds: Thresholds
    ) -> Transition? {
        recent.record(isLoss: false)
        let later = losses(after: sent)
        // The target went down after this reply.
        if let later, health == .down, later.count >= thresholds.fall { return nil }
        gaps.recordReply(to: number, isFirst: runLength <= 0, isNewest: sent >= newestReply)
        newestReply = max(newestReply, sent)
        let transition = judge(reply, at: time, under: thresholds)
        if let later {
            streak = .losses(later.count, later.failure)
            streakStart = later.start
            pace = .none
        }
        return transition
    }

    /// The losses of the streak that a reply does not end, since their probes were sent after its own: all of them, or
    /// at least the newest.
    private func losses(after sent: Int64) -> (count: Int, failure: Failure?, start: Int64)? {
        guard case .losses(let count, let failure) = streak, sent < newestLoss else { return nil }
        return sent < streakStart ? (count, failure, streakStart) : (1, failure, newestLoss)
    }

    private mutating func judge(_ reply: Reply, at time: Duration, under thresholds: Thresholds) -> Transition? {
        if runLength <= 0 { streakStart = time.nanoseconds }
        streak = .replies(max(0, Int(runLength)) + 1)
        let count = gaps.consecutive(of: Int(runLength))
        let slowCause = Self.degradedCause(of: reply, under: thresholds)
        let isSlow = slowCause != nil
        if thresholds.slowStreak > 0 || pace == .none || !isSlow { proceedPace(isSlow: isSlow) }

        switch health {
        case .unknown:
            // One reply is enough. If it is slow, the first verdict is degraded: after up, that would be a change.
            if let slowCause { return change(to: .degraded, at: time, since: streakStart, because: slowCause) }
            return change(to: .up, at: time, since: streakStart, because: .replies(count))
        case .down:
            guard count >= thresholds.rise else { return nil }
            if case .slow(let slow) = pace, slow >= thresholds.rise, let slowCause {
                return change(to: .degraded, at: time, since: streakStart, because: slowCause)
            }
            return change(to: .up, at: time, since: streakStart, because: .replies(count))
        case .up:
            if case .slow(let slow) = pace, slow >= thresholds.slowStreak, let slowCause {
                return change(to: .degraded, at: time, since: newestReply, because: slowCause)
            }
            return nil
        case .degraded:
            guard case .quick(let quick) = pace, quick >= thresholds.slowStreak else { return nil }
            guard !isStillLossy(under: thresholds) else { return nil }
            return change(to: .up, at: time, since: newestReply, because: .replies(Int(quick)))
        }
    }

    /// The cause for which a reply counts toward degraded; nil for a normal reply.
    private static func degradedCause(of reply: Reply, under thresholds: Thresholds) -> Cause? {
        if let concern = reply.concern { return .concern(concern) }
        guard let limit = thresholds.slow, let roundTrip = reply.roundTrip, roundTrip > limit else { return nil }
        return .slow(roundTrip: roundTrip, limit: limit)
    }

    /// Gives the verdict on the loss rate. It waits while the newest probes are lost: an outage may have begun.
    private mutating func changeByLoss(at time: Duration, under thresholds: Thresholds) -> Transition? {
        guard health == .up, case .replies = streak, let limit = thresholds.lossy, isLossy(under: thresholds) else {
            return nil
        }
        defer { isDegradedByLoss = true }
        return change(to: .degraded, at: time, since: newestReply, because: .lossy(loss: recent.loss, limit: limit))
    }

    /// Whether the loss rate keeps the target degraded. Losses end at half of the limit: at the limit itself, each probe
    /// would change the health.
    private func isStillLossy(under thresholds: Thresholds) -> Bool {
        guard isDegradedByLoss, let limit = thresholds.lossy, recent.isFull else { return isLossy(under: thresholds) }
        return recent.loss > limit / 2
    }

    /// The share of lost probes, if it is over the limit or keeps the target degraded; nil otherwise.
    func excessLoss(under thresholds: Thresholds) -> Double? {
        isDegradedByLoss || isLossy(under: thresholds) ? recent.loss : nil
    }

    private func isLossy(under thresholds: Thresholds) -> Bool {
        guard let limit = thresholds.lossy, recent.isFull else { return false }
        return recent.loss > limit
    }

    /// - Parameter start: when the new health began, in nanoseconds; `time` if nil, and never before the old health
    ///   began.
    private mutating func change(
        to new: Health,
        at time: Duration,
        since start: Int64? = nil,
        because cause: Cause
    ) -> Transition {
        let began = max(since, start.map { .nanoseconds($0) } ?? time)
        let transition = Transition(
            from: health,
            to: new,
            time: time,
            began: began,
            lasted: began - since,
            cause: cause
        )
        if new != health { since = began }
        // The losses of an outage are accounted for by it.
        if health == .down { recent = RecentLosses() }
        health = new
        isDegradedByLoss = false
        return transition
    }
}

/// The losses among the last twenty finished probes, one bit each.
struct RecentLosses: Sendable, Hashable {
    private var bits: UInt32 = 0
    private var count: UInt8 = 0

    var isFull: Bool { Int(count) == Thresholds.lossyWindow }

    /// The loss rate, 0…1; 0 before the first probe.
    var loss: Double {
        count == 0 ? 0 : Double(bits.nonzeroBitCount) / Double(count)
    }

    mutating func record(isLoss: Bool) {
        bits = (bits << 1 | (isLoss ? 1 : 0)) & (1 << UInt32(Thresholds.lossyWindow) - 1)
        count = UInt8(min(Int(count) + 1, Thresholds.lossyWindow))
    }
}
