/// What the hook rules of one target have done so far, and which of them an event fires.
struct HookBook: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// When each event fired the rule last: the cooldown is that of one event.
        var lastFired: [HookEvent: Duration] = [:]
        /// The health that the rule reported last, and the one before that.
        var reported: Health?
        var reportedBefore: Health?
        /// The newest transition, while one was held back: it is reported as soon as it may be, unless health is again what
        /// was reported last.
        var owed: Transition?
        /// Whether the last run was dropped because the target changed again.
        var isTakenBack = false
        var isDisarmed = false
    }

    var entries: [HookRule: Entry] = [:]
    /// When the running or the last outage began.
    private var outageStart: Duration?
    /// What was known before faults made the health unknown.
    private var healthBeforeFaults: Health?

    /// What becomes of a rule that an event concerns.
    enum Decision: Sendable, Hashable {
        case fire(HookRule, HookEvent)
        case skip(HookRule, HookDrop)
    }

    /// Takes a transition into account, whether or not it is to fire anything.
    mutating func note(_ transition: Transition) {
        if transition.to == .unknown, transition.from != .unknown { healthBeforeFaults = transition.from }
        for (rule, entry) in entries where entry.owed != nil { entries[rule]?.owed = transition }
        guard transition.to == .down else { return }
        switch healthBefore(transition) {
        case .down: break
        // A target that was not there at the start is away since then, and not since we were sure of it.
        case .unknown: outageStart = transition.start
        case .up, .degraded: outageStart = transition.began
        }
    }

    /// The health before a transition, or the one before faults made it unknown.
    private func healthBefore(_ transition: Transition) -> Health {
        transition.from == .unknown ? healthBeforeFaults ?? .unknown : transition.from
    }

    /// Forgets what was known of a target that begins anew.
    mutating func forgetHealth() {
        healthBeforeFaults = nil
    }

    /// How long a target has been away that has come back, or how long it took to be found; nil when it has not come
    /// back.
    func absence(endedBy transition: Transition) -> Duration? {
        let before = healthBefore(transition)
        guard transition.to.isReachable, !before.isReachable else { return nil }
        let start = before == .down ? outageStart : nil
        return transition.began - (start ?? transition.start)
    }

    /// Decides for every rule that waits for this transition, in the order of the settings.
    mutating func decide(on transition: Transition, among rules: [HookRule]) -> [Decision] {
        let events = HookEvent.events(of: transition, knownBefore: healthBeforeFaults)
        let isFirst = healthBefore(transition) == .unknown
        let absence = absence(endedBy: transition)
        return rules.compactMap { rule in
            guard let event = events.first(where: rule.events.contains) else { return nil }
            guard !isFirst || rule.firesAtStart else { return nil }
            guard !isDisarmed(rule) else { return nil }
            if let absence, let limit = rule.within, absence > limit { return .skip(rule, .expired(within: limit)) }
            if let outage = transition.outage, transition.to.isReachable, outage < rule.minDown {
                return .skip(rule, .tooShort(outage: outage, minDown: rule.minDown))
            }
            return fire(rule, on: event, at: transition.time, reporting: transition)
        }
    }

    /// Decides for every rule that waits for an event that is no transition, in the order of the settings.
    mutating func decide(on event: HookEvent, at time: Duration, among rules: [HookRule]) -> [Decision] {
        rules.compactMap { rule in
            guard rule.events.contains(event), !isDisarmed(rule) else { return nil }
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
            entry.owed = transition
            return .skip(rule, .coolingDown(left: rule.cooldown - (time - last)))
        }
        entry.lastFired[event] = time
        if let transition {
            // With nothing held back, what came between was reported, or does not concern the rule.
            entry.reportedBefore = entry.owed == nil ? transition.from : entry.reported
            entry.owed = nil
            entry.isTakenBack = false
            entry.reported = transition.to
        }
        return .fire(rule, event)
    }

    private func isDisarmed(_ rule: HookRule) -> Bool {
        entries[rule]?.isDisarmed == true
    }

    /// Takes the end of a run into account: a rule that runs once is disarmed by its first success.
    mutating func record(success: Bool, of rule: HookRule) {
        guard rule.isOnce, success else { return }
        entries[rule, default: Entry()].isDisarmed = true
    }

    /// Takes into account that what fired at this time did not run after all, and so begins no cooldown and reported
    /// nothing.
    ///
    /// - Parameter isObsolete: whether that was because the target changed again.
    mutating func takeBack(_ event: HookEvent, of rule: HookRule, on occasion: Occasion, isObsolete: Bool) {
        // What ran before that has cooled down, or this would not have fired.
        guard var entry = entries[rule], entry.lastFired[event] == occasion.time else { return }
        entry.lastFired[event] = nil
        if let change = occasion.transition, entry.reported == change.to {
            entry.reported = entry.reportedBefore
            entry.isTakenBack = isObsolete
        }
        entries[rule] = entry
    }

    /// Forgets the rules that the settings no longer have.
    mutating func keep(only rules: [HookRule]) {
        let kept = Set(rules)
        entries = entries.filter { kept.contains($0.key) }
    }
}
