/// The transitions that a rule has not reported yet, since it waits: for the end of its cooldown, of flapping or of
/// maintenance. When the wait ends, the rule reports the health of that time, if this is news.
struct DeferredReport: Sendable, Hashable {
    /// The health before the first of the transitions.
    var healthBefore: Health
    /// The newest of them.
    private(set) var newest: Transition
    private var isSingle = true
    /// Whether one of them began an outage. Then an outage is news even if the health before was down too.
    private(set) var hasOutage: Bool
    /// Whether the first of them was in the present maintenance.
    var isPlanned: Bool

    /// Creates a report for a first transition.
    init(_ transition: Transition, after health: Health, beginsOutage: Bool, isPlanned: Bool) {
        healthBefore = health
        newest = transition
        hasOutage = beginsOutage
        self.isPlanned = isPlanned
    }

    /// Adds a later transition.
    mutating func add(_ transition: Transition, beginsOutage: Bool) {
        newest = transition
        isSingle = false
        hasOutage = hasOutage || beginsOutage
    }

    /// The event by which a rule reports the health; nil if that is no news for it.
    func event(for rule: HookRule, at health: Health, after outages: OutageMemory) -> HookEvent? {
        let events: [HookEvent] =
            // Faults of a target that never had a verdict change no health, and are news.
            if health != healthBefore || health == .unknown {
                outages.events(from: healthBefore, to: health)
            } else {
                health == .down && hasOutage ? [.down, .change] : []
            }
        return events.first(where: rule.events.contains)
    }

    /// The transition to report: the newest one, from the health before the first.
    ///
    /// - Parameter outageStart: when the last outage began.
    func transition(outageStart: Duration?) -> Transition {
        guard !isSingle, newest.from != healthBefore, newest.to != healthBefore else { return newest }
        // The outage ended when the degraded health between began.
        let isRecovered = healthBefore == .down && newest.from.isReachable && newest.to.isReachable
        let end = isRecovered ? newest.start : newest.began
        return Transition(
            from: healthBefore,
            to: newest.to,
            time: newest.time,
            began: end,
            lasted: isRecovered ? end - (outageStart ?? end) : newest.lasted,
            cause: newest.cause
        )
        .withLateReply(after: newest.lateRoundTrip)
    }
}
