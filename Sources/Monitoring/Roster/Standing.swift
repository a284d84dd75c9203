/// All that is known of one target.
public struct Standing: Sendable, Identifiable {
    /// The identity that the target's findings carry.
    public private(set) var id: Target.ID
    /// The target as the settings have it, in the box that the prober shares.
    @usableFromInline package internal(set) var sharedTarget: Shared<Target>
    /// Decides the health.
    package internal(set) var judge: Judge
    /// The recent observations.
    public internal(set) var history: History
    /// What was counted since the start.
    public internal(set) var totals = Totals()
    /// The newest proper answer.
    public internal(set) var lastReply: Reply?
    /// The numeric address that was asked last.
    public internal(set) var address: String?
    /// From when on the time of the present health is not in the totals yet.
    var countedSince: Duration
    /// Whether it was asked because of a child's loss, and has not answered yet.
    var isDoubted = false
    var pace = ProbePace.usual
    /// What is seldom to be said of a target; nil while there is nothing of it.
    var rare: Shared<Circumstances>?

    init(id: Target.ID, target: Shared<Target>, history: History, since: Duration) {
        self.id = id
        sharedTarget = target
        self.history = history
        judge = Judge(since: since)
        countedSince = since
    }

    /// The same knowledge of another row of the target. Hooks that the user armed stay with the first.
    func copy(as id: Target.ID) -> Standing {
        var copy = self
        copy.id = id
        copy.armed = []
        return copy
    }

    /// The target as the settings have it.
    @inlinable public var target: Target { sharedTarget.value }

    /// What is believed of the target.
    public var health: Health { judge.health }

    /// What is seen of the target from afar.
    package var glance: Glance { Glance(self) }

    /// Whether the user switched the target off.
    public var isPaused: Bool { pausedSince != nil }

    /// Whether it was blocked before it could go down by itself. One that was down already stays down: its outage is
    /// its own.
    public var isBlocked: Bool { blockedBy != nil && !isPaused && health != .down }

    /// Whether the target is asked: nobody paused it, and all that it depends on may be up.
    public var isAsked: Bool { !isPaused && blockedBy == nil }

    /// Whether the health changes too often; hooks that wait for it are held back meanwhile.
    public var isFlapping: Bool { flapping?.isFlapping == true && !isPaused }

    /// How often the health changed, by the formula of Nagios, 0…1.
    package var flappingShare: Double { flapping?.share ?? 0 }

    /// The health that is about to be, while a streak runs.
    public var pending: Pending? {
        isAsked ? judge.pending(under: target.thresholds) : nil
    }

    /// When the present health, the pause or the blockade began.
    public var since: Duration { pausedSince ?? (isBlocked ? blockedSince : judge.since) }

    /// Why the newest probe was lost, when it was and something said so.
    public var failure: Failure? {
        guard case .losses(_, let failure) = judge.streak else { return nil }
        return failure
    }

    /// The figures of the newest probes.
    public var statistics: Statistics {
        Statistics(history.suffix(Statistics.window))
    }

    /// The share of the judged time in which the target answered, 0…1; nil before the first verdict. Paused, blocked
    /// and unknown time is not judged, nor is time in which this program did not run.
    public func availability(at now: Duration) -> Double? {
        var standing = self
        standing.count(until: now)
        let judged = standing.totals.reachable + standing.totals.unreachable
        return judged > .zero ? standing.totals.reachable / judged : nil
    }

    /// Puts the time until `now` into the totals, of the present health unless of the one that it has just ended.
    mutating func count(until now: Duration, as past: Health? = nil) {
        guard !isPaused, !isBlocked, now > countedSince else { return }
        totals.close(past ?? health, after: now - countedSince)
        countedSince = now
    }
}
