/// All that is known of one target.
public struct Standing: Sendable, Identifiable {
    /// The identity that the target's findings carry.
    public let id: Target.ID
    /// The target as the settings have it.
    public internal(set) var target: Target
    /// Decides the health.
    public internal(set) var judge: Judge
    /// The recent observations.
    public internal(set) var history: History
    /// What was counted since the start.
    public internal(set) var totals = Totals()
    /// The newest proper answer.
    public internal(set) var lastReply: Reply?
    /// Why we cannot ask, while we cannot.
    public internal(set) var fault: Fault?
    /// The numeric address that was asked last.
    public internal(set) var address: String?
    /// Where the held connection stands, for a target that is asked by one.
    public internal(set) var session: SessionState?
    /// When the user paused the target, while it is paused.
    public internal(set) var pausedSince: Duration?
    /// The hooks that wait until the target is reachable, in the order in which they were armed.
    public internal(set) var armed: [ArmedHook] = []
    var hookBook = HookBook()
    var isPaced = false
    /// What was told of the session last.
    var toldSession: SessionState?

    init(id: Target.ID, target: Target, history: History, since: Duration) {
        self.id = id
        self.target = target
        self.history = history
        judge = Judge(since: since)
    }

    /// What is believed of the target.
    public var health: Health { judge.health }

    /// Whether the user switched the target off.
    public var isPaused: Bool { pausedSince != nil }

    /// The health that is about to be, while a streak runs.
    public var pending: Pending? {
        isPaused ? nil : judge.pending(under: target.thresholds)
    }

    /// When the present health, or the pause, began.
    public var since: Duration { pausedSince ?? judge.since }

    /// Why the newest probe was lost, when it was and something said so.
    public var failure: Failure? {
        guard case .losses(_, let failure) = judge.streak else { return nil }
        return failure
    }

    /// The figures of the newest probes.
    public var statistics: Statistics {
        Statistics(history.suffix(Statistics.window))
    }

    /// The share of the judged time in which the target answered, 0…1; nil before the first verdict. Paused and
    /// unknown time is not judged.
    public func availability(at now: Duration) -> Double? {
        var totals = totals
        if !isPaused { totals.close(health, after: now - judge.since) }
        let judged = totals.reachable + totals.unreachable
        return judged > .zero ? totals.reachable / judged : nil
    }
}
