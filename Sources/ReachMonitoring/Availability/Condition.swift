/// What events change in a target's state, and single replies do not: health, pause, block, fault, session,
/// acknowledgement, certificate, and the totals of outages.
struct Condition: Sendable {
    /// The number of probes that had finished.
    fileprivate let sent: Int
    fileprivate let judge: Judge
    fileprivate let lastReply: Reply?
    fileprivate let address: String?
    /// The totals without probes and round trips.
    fileprivate let totals: Totals
    fileprivate let countedSince: Duration
    fileprivate let rare: Shared<RareState>?
    fileprivate let vantagePoints: VantagePoints?
    fileprivate let path: Shared<TargetPath>?

    /// Whether there is planned work at the target.
    var isInMaintenance: Bool { rare?.value.maintenance != nil }

    /// The state for its availability, without maintenance.
    var watchedState: WatchedSpan.State {
        let isPaused = rare?.value.pausedSince != nil
        return isPaused ? .paused : WatchedSpan.State(judge.health, isBlocked: rare?.value.blockedBy != nil)
    }

    var health: Health { judge.health }

    /// When the health began.
    var healthSince: Duration { judge.since }

    /// The common cause that explains the outage; nil without one.
    var commonCause: CommonCause.ID? { rare?.value.commonCause }

    /// Why the target is down; nil without a lost probe since a pause or a block.
    var cause: String? {
        guard judge.isLosing else { return nil }
        return Transition.lossDetail(judge.lossFailure, lateRoundTrip: rare?.value.lateReply?.roundTrip)
    }

    init(_ state: borrowing TargetState) {
        sent = state.totals.sent
        judge = state.judge
        lastReply = state.lastReply
        address = state.address
        totals = state.totals.ofOutages
        countedSince = state.countedSince
        rare = state.rare
        vantagePoints = state.vantagePoints
        path = state.sharedPath
    }
}

extension TargetState {
    /// The state at a past time, with the newest samples until then.
    ///
    /// Some figures are not kept: the round trips of all probes, late and duplicate replies, the phases of a reply.
    ///
    /// - Parameters:
    ///   - condition: the condition at that time; nil if it is unknown.
    ///   - stored: what the history has of the target around that time, before the start of the program.
    func rewound(to time: Duration, _ condition: Condition?, _ stored: StoredState? = nil) -> TargetState {
        let window = history.before(time + .nanoseconds(1)).suffix(Statistics.window)
        var past = TargetState(
            id: id,
            target: sharedTarget,
            history: SampleHistory(capacity: Statistics.window),
            since: time
        )
        for sample in window { past.history.append(sample) }
        stored?.apply(to: &past, at: time)
        guard let condition else { return past }
        past.judge = condition.judge
        past.address = condition.address
        past.countedSince = condition.countedSince
        past.rare = condition.rare
        if let points = condition.vantagePoints { past.vantagePoints = points }
        if let path = condition.path, path.value.newest != nil { past.sharedPath = path }
        past.lastReply = condition.lastReply
        past.lastReply?.phases = []
        if let newest = window.last(where: { !$0.isLoss }) { past.lastReply?.roundTrip = newest.roundTrip }
        past.totals = condition.totals
        past.totals.countProbes(of: totals, before: history.since(time + .nanoseconds(1)))
        if past.isProbed {
            let later = max(0, past.totals.sent - condition.sent)
            past.judge.proceed(with: window.suffix(later), isWhole: later <= window.count, under: target.thresholds)
        }
        return past
    }
}

extension TargetState {
    /// Whether the newest probe has the same failure, or the same details of the reply, as a condition.
    borrowing func isRepeated(by condition: Condition) -> Bool {
        isLosing
            ? failure == condition.judge.lossFailure && (lateReply == nil) == (condition.rare?.value.lateReply == nil)
            : lastReply.isEquivalent(to: condition.lastReply)
    }
}

extension Reply? {
    /// Whether two replies have the same details, apart from their durations.
    fileprivate func isEquivalent(to other: Reply?) -> Bool {
        self?.detail == other?.detail && self?.concern == other?.concern
            && self?.certificateExpiry == other?.certificateExpiry && self?.httpStatus == other?.httpStatus
    }
}

/// Folds the conditions of a target, in the order of their times, into spans since the start of the program.
struct ConditionFold {
    /// The spans that have ended, without maintenance, as in ``SpanFold``.
    private var spans: [WatchedSpan] = []
    private var maintenance = MaintenanceFold()
    /// The span that has not ended.
    private var state: WatchedSpan.State?
    private var start = Duration.zero
    private var cause: String?
    /// The cause of the last time down, which an outage has after a pause too.
    private var lastCause: String?
    private var health = Health.unknown
    private var healthSince = Duration.zero
    private var commonCause: String?

    /// Continues with a condition.
    ///
    /// - Parameter place: the place of a common cause.
    mutating func apply(_ condition: Condition, at time: Duration, place: (CommonCause.ID) -> String?) {
        if let cause = condition.commonCause { commonCause = place(cause) ?? commonCause }
        if condition.isInMaintenance { maintenance.begin(at: time) } else { maintenance.end(at: time) }
        let new = condition.watchedState
        guard new != state else {
            // The health of a blocked target may change, and the state does not.
            (health, healthSince) = (condition.health, condition.healthSince)
            return
        }
        // A health begins with its first probe, a pause or a block with its event. Two may begin at the same time.
        let isOfHealth = condition.health != health || condition.healthSince != healthSince
        close(at: isOfHealth ? min(time, condition.healthSince) : time)
        if condition.commonCause == nil { commonCause = nil }
        if state == nil { start = time }
        (state, health, healthSince) = (new, condition.health, condition.healthSince)
        if new == .down { lastCause = condition.cause ?? lastCause }
        cause = new == .down ? lastCause : nil
    }

    private mutating func close(at time: Duration) {
        guard let state, time > start else { return }
        var span = WatchedSpan(state, from: start, until: time, because: cause)
        if state == .down { span.commonCause = commonCause }
        spans.append(span)
        start = time
    }

    /// The spans until a time.
    ///
    /// - Parameter gaps: the times in which the program did not run, oldest first.
    func spans(until now: Duration, without gaps: [Range<Duration>]) -> [WatchedSpan] {
        var fold = self
        fold.close(at: now)
        fold.maintenance.end(at: now)
        guard let first = fold.spans.first?.start else { return [] }
        let watched = gaps.reduce(into: fold.spans) { spans, gap in
            guard gap.upperBound > first, !gap.isEmpty else { return }
            var cut: [WatchedSpan] = []
            for span in spans {
                var (before, after) = (span, span)
                before.end = min(span.end, gap.lowerBound)
                after.start = max(span.start, gap.upperBound)
                if before.start < before.end { cut.append(before) }
                if span.start < gap.upperBound, span.end >= gap.upperBound {
                    cut.append(WatchedSpan(.unwatched, from: max(first, gap.lowerBound), until: gap.upperBound))
                }
                if after.start < after.end { cut.append(after) }
            }
            spans = cut
        }
        return watched.covered(byMaintenance: fold.maintenance.ended)
    }
}
