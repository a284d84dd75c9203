/// Decides the health of one target from its outcomes, one at a time.
///
/// ```
///              rise replies (first ever: one is enough)
///   unknown ─────────────────────────────────────────────▶ up ◀──── back under for 3 ────┐
///      │                                                   │  ── over `slow` for 3 ──▶ degraded
///      └── fall losses ──▶ down ◀──────── fall losses ─────┴──────────────────────────────┘
///                           └──── rise replies ───▶ up (or degraded, if they are slow)
///
///   any ── fall faults ──▶ unknown
/// ```
public struct Judge: Sendable, Hashable {
    /// What is believed now.
    public private(set) var health = Health.unknown
    /// When that began, since the start of the program: an outage when its first lost probe was sent, its end when the
    /// first reply came.
    public private(set) var since: Duration
    /// The outcomes in a row, of the sort that came last.
    public private(set) var streak: Streak {
        get {
            switch run {
            case 0: .none
            case 1...: .replies(Int(run))
            default: .losses(-Int(run), failure?.value)
            }
        }
        set {
            switch newValue {
            case .none: (run, failure) = (0, nil)
            case .replies(let count): (run, failure) = (Int32(clamping: count), nil)
            case .losses(let count, let newest): (run, failure) = (-Int32(clamping: count), newest.map(Shared.init))
            }
        }
    }
    /// How many replies came in a row, or, negative, losses; every target has a judge, and so it is kept small.
    private var run: Int32 = 0
    /// What the newest loss failed with.
    private var failure: Shared<Failure>?
    /// When the first lost probe of the streak was sent, or its first reply came, in nanoseconds.
    private var streakStart: Int64 = 0
    /// When the newest of the probes that were answered was sent, in nanoseconds; losses before it are superseded.
    private var newestReply = Int64.min
    /// When the newest of the streak's lost probes was sent, in nanoseconds.
    private var newestLoss = Int64.min
    /// Replies in a row with trouble (slow, or a cause for concern) or without, which decide between up and degraded.
    private var pace = Pace.none
    private var recent = RecentLosses()

    /// Consecutive outcomes of one sort.
    public enum Streak: Sendable, Hashable {
        /// Nothing has been judged yet.
        case none
        /// The last outcomes were replies.
        case replies(Int)
        /// The last outcomes were losses; the newest failed with this, or timed out.
        case losses(Int, Failure?)
    }

    private enum Pace: Sendable, Hashable {
        case none
        case slow(Int32)
        case quick(Int32)
    }

    /// A judge that knows nothing yet.
    public init(since: Duration) {
        self.since = since
    }

    /// Whether the newest loss is the first of its streak.
    var isFirstLoss: Bool { run == -1 }

    /// Where a running streak leads, while its threshold is not reached.
    public func pending(under thresholds: Thresholds) -> Pending? {
        switch (streak, pace) {
        case (.losses(let count, _), _) where health != .down:
            // A verdict that is held back has more losses than it takes.
            Pending(toward: .down, streak: min(count, thresholds.fall), threshold: thresholds.fall)
        case (.replies(let count), _) where health == .down:
            Pending(toward: .up, streak: count, threshold: thresholds.rise)
        case (.replies, .slow(let count)) where health == .up:
            Pending(toward: .degraded, streak: Int(count), threshold: thresholds.slowStreak)
        default:
            nil
        }
    }

    /// Takes an outcome into account. A fault changes nothing by itself: it is ours.
    ///
    /// Outcomes of overlapping probes come out of order: a timeout is known later than the reply to a probe that was
    /// sent after it. Streaks follow the order in which the probes were sent.
    ///
    /// - Parameters:
    ///   - time: when the outcome was known.
    ///   - sent: when the probe was sent; absent where that was the same time.
    ///   - holdsLosses: whether the verdict on a loss is to wait for ``conclude(at:under:)``.
    /// - Returns: The transition that the outcome brought about.
    public mutating func record(
        _ outcome: Outcome,
        at time: Duration,
        sent: Duration? = nil,
        under thresholds: Thresholds,
        holdsLosses: Bool = false
    ) -> Transition? {
        let sent = (sent ?? time).nanoseconds
        switch outcome {
        case .fault:
            return nil
        case .timeout:
            recordLoss(nil, sent: sent)
        case .failure(let failure):
            recordLoss(failure, sent: sent)
        case .reply(let reply):
            return recordReply(reply, at: time, sent: sent, under: thresholds)
        }
        return holdsLosses ? nil : conclude(at: time, under: thresholds)
    }

    /// A loss sent before the newest reply belongs to the loss rate, and to no streak.
    private mutating func recordLoss(_ newest: Failure?, sent: Int64) {
        recent.record(isLoss: true)
        guard sent >= newestReply else { return }
        pace = .none
        if case .losses(let before, let failure) = streak {
            streak = .losses(before + 1, sent < newestLoss ? failure : newest)
            streakStart = min(streakStart, sent)
            newestLoss = max(newestLoss, sent)
        } else {
            streak = .losses(1, newest)
            (streakStart, newestLoss) = (sent, sent)
        }
    }

    /// Gives the verdict that the losses so far have come to, if they have.
    public mutating func conclude(at time: Duration, under thresholds: Thresholds) -> Transition? {
        if case .losses(let count, let failure) = streak, health != .down, count >= thresholds.fall {
            return change(to: .down, at: time, since: streakStart, because: .losses(count, failure))
        }
        return changeByLoss(at: time, under: thresholds)
    }

    /// Whether the losses so far have come to a verdict that was not given yet.
    public func isVerdictDue(under thresholds: Thresholds) -> Bool {
        var judge = self
        return judge.conclude(at: since, under: thresholds) != nil
    }

    /// Withdraws the verdict, since faults in a row leave nothing known of the target.
    ///
    /// - Parameter start: when the first of them came.
    mutating func withdraw(at time: Duration, since start: Duration, because cause: Cause) -> Transition {
        forgetStreak()
        return change(to: .unknown, at: time, since: start.nanoseconds, because: cause)
    }

    /// Lets the next outcome begin a new streak: nobody knows what happened since the last one.
    public mutating func forgetStreak() {
        streak = .none
        pace = .none
    }

    private mutating func recordReply(
        _ reply: Reply,
        at time: Duration,
        sent: Int64,
        under thresholds: Thresholds
    ) -> Transition? {
        recent.record(isLoss: false)
        let later = losses(after: sent)
        // The target went down after it had answered.
        if let later, health == .down, later.count >= thresholds.fall { return nil }
        newestReply = max(newestReply, sent)
        let transition = judge(reply, at: time, under: thresholds)
        if let later {
            streak = .losses(later.count, later.failure)
            streakStart = later.start
            pace = .none
        }
        return transition
    }

    /// Those losses of the streak that a reply does not end, since their probes were sent after its own: all of them, or
    /// at least the newest.
    private func losses(after sent: Int64) -> (count: Int, failure: Failure?, start: Int64)? {
        guard case .losses(let count, let failure) = streak, sent < newestLoss else { return nil }
        return sent < streakStart ? (count, failure, streakStart) : (1, failure, newestLoss)
    }

    private mutating func judge(_ reply: Reply, at time: Duration, under thresholds: Thresholds) -> Transition? {
        let count: Int
        if case .replies(let before) = streak {
            count = before + 1
        } else {
            count = 1
            streakStart = time.nanoseconds
        }
        streak = .replies(count)
        let trouble = Self.trouble(with: reply, under: thresholds)
        let isSlow = trouble != nil
        switch pace {
        case .slow(let before) where isSlow: pace = .slow(before == .max ? before : before + 1)
        case .quick(let before) where !isSlow: pace = .quick(before == .max ? before : before + 1)
        default: pace = isSlow ? .slow(1) : .quick(1)
        }

        switch health {
        case .unknown:
            // One reply is enough to be up; where one slow reply is enough to be degraded, it is that.
            if case .slow(let slow) = pace, slow >= thresholds.slowStreak, let trouble {
                return change(to: .degraded, at: time, since: streakStart, because: trouble)
            }
            return change(to: .up, at: time, since: streakStart, because: .replies(count))
        case .down:
            guard count >= thresholds.rise else { return nil }
            if case .slow(let slow) = pace, slow >= thresholds.rise, let trouble {
                return change(to: .degraded, at: time, since: streakStart, because: trouble)
            }
            return change(to: .up, at: time, since: streakStart, because: .replies(count))
        case .up:
            if case .slow(let slow) = pace, slow >= thresholds.slowStreak, let trouble {
                return change(to: .degraded, at: time, because: trouble)
            }
            return nil
        case .degraded:
            guard case .quick(let quick) = pace, quick >= thresholds.slowStreak else { return nil }
            guard !isLossy(under: thresholds) else { return nil }
            return change(to: .up, at: time, because: .replies(Int(quick)))
        }
    }

    /// Why a reply counts toward degraded; nil for one that is as it should be.
    private static func trouble(with reply: Reply, under thresholds: Thresholds) -> Cause? {
        if let concern = reply.concern { return .concern(concern) }
        guard let limit = thresholds.slow, let roundTrip = reply.roundTrip, roundTrip > limit else { return nil }
        return .slow(roundTrip: roundTrip, limit: limit)
    }

    private mutating func changeByLoss(at time: Duration, under thresholds: Thresholds) -> Transition? {
        guard health == .up, let limit = thresholds.lossy, isLossy(under: thresholds) else { return nil }
        return change(to: .degraded, at: time, because: .lossy(loss: recent.loss, limit: limit))
    }

    private func isLossy(under thresholds: Thresholds) -> Bool {
        guard let limit = thresholds.lossy, recent.isFull else { return false }
        return recent.loss > limit
    }

    /// - Parameter start: when the new health began, in nanoseconds; `time` unless given, and never before the old one.
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
        health = new
        return transition
    }
}
