/// The state of one target's hook rules. It decides which rules an event fires.
struct HookTracker: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// When each event last fired the rule. Each event has its own cooldown.
        var lastFired: [HookEvent: Duration] = [:]
        /// The health that the rule reported last.
        var reported: Health?
        var reportedBefore: Health?
        /// The newest transition after a cooldown deferred one. It is reported when the cooldown ends, unless the
        /// health is then the one reported last.
        var deferred: Transition?
        /// Whether the last run was dropped because the target changed again.
        var isRevoked = false
        var isDisarmed = false
    }

    var entries: [HookRule: Entry] = [:]
    /// When the present or the last outage began.
    private var outageStart: Duration?
    /// The health before faults made it unknown.
    private var healthBeforeFaults: Health?

    /// The decision for a rule that matches an event.
    enum Decision: Sendable, Hashable {
        case fire(HookRule, HookEvent)
        case skip(HookRule, HookDrop)
    }

    /// Records a transition, whether or not it fires hooks.
    mutating func record(_ transition: Transition) {
        if transition.to == .unknown, transition.from != .unknown { healthBeforeFaults = transition.from }
        for (rule, entry) in entries where entry.deferred != nil { entries[rule]?.deferred = transition }
        guard transition.to == .down else { return }
        switch healthBefore(transition) {
        case .down: break
        // A target that was never reachable has been away since the start, not only since the verdict.
        case .unknown: outageStart = transition.start
        case .up, .degraded: outageStart = transition.began
        }
    }

    /// The health before a transition; if faults made it unknown, the health before them.
    private func healthBefore(_ transition: Transition) -> Health {
        transition.from == .unknown ? healthBeforeFaults ?? .unknown : transition.from
    }

    /// How long a target was unreachable that is reachable now, from the start of its outage or of the unknown health;
    /// nil for other transitions.
    func absence(endedBy transition: Transition) -> Duration? {
        let before = healthBefore(transition)
        guard transition.to.isReachable, !before.isReachable else { return nil }
        let start = before == .down ? outageStart : nil
        return transition.began - (start ?? transition.start)
    }

    /// Decides for each rule that waits for this transition, in the order of the settings.
    mutating func decide(
        on transition: Transition,
        at time: Duration? = nil,
        among rules: [HookRule],
        isAcknowledged: Bool = false
    ) -> [Decision] {
        let events = HookEvent.events(of: transition, knownBefore: healthBeforeFaults)
        let isFirst = healthBefore(transition) == .unknown
        let absence = absence(endedBy: transition)
        return rules.compactMap { rule in
            guard let event = events.first(where: rule.events.contains) else { return nil }
            guard !isFirst || rule.firesAtStart else { return nil }
            guard !isDisarmed(rule) else { return nil }
            if isAcknowledged, rule.skipsAcknowledged { return .skip(rule, .acknowledged) }
            if let absence, let limit = rule.within, absence > limit { return .skip(rule, .expired(within: limit)) }
            if let outage = transition.outage, transition.to.isReachable, outage < rule.minDown {
                return .skip(rule, .tooShort(outage: outage, minDown: rule.minDown))
            }
            return fire(rule, on: event, at: time ?? transition.time, reporting: transition)
        }
    }

    /// Decides for each rule that waits for an event other than a transition, in the order of the settings.
    mutating func decide(
        on event: HookEvent,
        at time: Duration,
        among rules: [HookRule],
        isAcknowledged: Bool = false
    ) -> [Decision] {
        rules.compactMap { rule in
            guard rule.events.contains(event), !isDisarmed(rule) else { return nil }
            if isAcknowledged, rule.skipsAcknowledged { return .skip(rule, .acknowledged) }
            return fire(rule, on: event, at: time)
        }
    }

    @discardableResult
    mutating func fire(
        _ rule: HookRule,
        on event: HookEvent,
        at time: Duration,
        reporting transition: Transition? = nil
    ) -> Decision {
        var entry = entries[rule] ?? Entry()
        defer { entries[rule] = entry }
        if let last = entry.lastFired[event], time - last < rule.cooldown {
            entry.deferred = transition
            return .skip(rule, .coolingDown(left: rule.cooldown - (time - last)))
        }
        entry.lastFired[event] = time
        if let transition {
            // If no transition is deferred, those in between were reported, or do not concern the rule.
            entry.reportedBefore = entry.deferred == nil ? transition.from : entry.reported
            entry.deferred = nil
            entry.isRevoked = false
            entry.reported = transition.to
        }
        return .fire(rule, event)
    }

    private func isDisarmed(_ rule: HookRule) -> Bool {
        entries[rule]?.isDisarmed == true
    }

    /// Records the end of a run. The first success disarms a rule that runs once.
    mutating func record(success: Bool, of rule: HookRule) {
        guard rule.isOnce, success else { return }
        entries[rule, default: Entry()].isDisarmed = true
    }

    /// Revokes a run that was dropped: it begins no cooldown and reported nothing.
    ///
    /// - Parameter isObsolete: whether it was dropped because the target changed again.
    mutating func revoke(_ event: HookEvent, of rule: HookRule, on context: HookContext, isObsolete: Bool) {
        // The cooldown of any earlier run has ended, or this one would not have fired.
        guard var entry = entries[rule], entry.lastFired[event] == context.time else { return }
        entry.lastFired[event] = nil
        if let change = context.transition, entry.reported == change.to {
            entry.reported = entry.reportedBefore
            entry.isRevoked = isObsolete
        }
        entries[rule] = entry
    }

    /// Restores the last run of a rule for an event, from before the start of the program.
    mutating func restore(
        _ rule: HookRule,
        on event: HookEvent,
        at time: Duration,
        isSuccess: Bool,
        now: Duration
    ) {
        let isDisarmed = rule.isOnce && isSuccess
        guard isDisarmed || now - time < rule.cooldown else { return }
        var entry = entries[rule] ?? Entry()
        if isDisarmed { entry.isDisarmed = true }
        let newest = entry.lastFired.values.max()
        if entry.lastFired[event].map({ $0 < time }) ?? true { entry.lastFired[event] = time }
        if newest.map({ $0 < time }) ?? true { entry.reported = event.reportedHealth }
        entries[rule] = entry
    }

    /// Removes the state of rules that were removed from the settings.
    mutating func keep(only rules: [HookRule]) {
        let kept = Set(rules)
        entries = entries.filter { kept.contains($0.key) }
    }
}
