/// The state of one target's hook rules. It decides which rules an event fires.
struct HookTracker: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// When each event last fired the rule. Each event has its own cooldown.
        var lastFired: [HookEvent: Duration] = [:]
        /// The transitions that the rule has not reported yet.
        var deferred: DeferredReport?
        /// The address before the first unreported change of the address.
        var addressBefore: String?
        /// Whether the target flapped before the first unreported begin or end of flapping.
        var wasFlapping: Bool?
        /// The newest news about the path that was not reported.
        var pathNews: PathNews?
        /// The newest change of the usual round trips, and of the usual losses, that was not reported.
        var latencyNews: ShiftNews?
        var lossNews: ShiftNews?
        /// The health that the rule reported last, if that was before the start of the program.
        var restored: Health?
        var isDisarmed = false

        /// Whether something is not reported yet.
        var isWaiting: Bool {
            deferred != nil || addressBefore != nil || wasFlapping != nil || pathNews != nil || latencyNews != nil
                || lossNews != nil
        }
    }

    var entries: [HookRule: Entry] = [:]
    private(set) var outages = OutageMemory()

    /// The decision for a rule that matches an event.
    enum Decision: Sendable, Hashable {
        case fire(HookRule, HookEvent, HookContext.Trigger)
        case skip(HookRule, HookDrop)
    }

    /// Records a transition, and decides for each rule that waits for it, in the order of the settings. A rule that must
    /// wait has no decision: its report is deferred.
    mutating func decide(
        on transition: Transition,
        among rules: [HookRule],
        under conditions: HookConditions
    ) -> [Decision] {
        outages.record(transition)
        let outages = outages
        let events = outages.events(from: transition.from, to: transition.to)
        let isFirst = outages.healthBefore(transition) == .unknown
        return rules.compactMap { rule in
            guard let event = events.first(where: rule.events.contains), !isFirst || rule.firesAtStart else {
                return nil
            }
            return update(rule) { entry in
                let left = entry.cooldownLeft(of: rule, for: event, at: conditions.now)
                if let left, isFirst, entry.restored == transition.to { return .skip(rule, .coolingDown(left: left)) }
                entry.wait(
                    for: transition,
                    after: outages.healthToReport(before: transition),
                    beginsOutage: !isFirst && events.contains(.down),
                    isPlanned: conditions.isInMaintenance
                )
                guard !conditions.defers(rule, on: event) else { return nil }
                return entry.report(transition.to, by: rule, after: outages, under: conditions)
            }
        }
    }

    /// Decides for each rule that waits for another address, in the order of the settings.
    mutating func decideOnAddress(
        from old: String,
        to new: String,
        among rules: [HookRule],
        under conditions: HookConditions
    ) -> [Decision] {
        rules.filter { $0.events.contains(.address) }.compactMap { rule in
            update(rule) { entry in
                if entry.addressBefore == nil { entry.addressBefore = old }
                guard !conditions.defers(rule, on: .address) else { return nil }
                return entry.reportAddress(new, by: rule, under: conditions)
            }
        }
    }

    /// Decides for each rule that waits for the begin or the end of flapping, in the order of the settings.
    mutating func decideOnFlapping(
        share: Double,
        among rules: [HookRule],
        under conditions: HookConditions
    ) -> [Decision] {
        rules.filter { $0.events.contains(.flapping) }.compactMap { rule in
            update(rule) { entry in
                if entry.wasFlapping == nil { entry.wasFlapping = !conditions.isFlapping }
                guard !conditions.defers(rule, on: .flapping) else { return nil }
                return entry.reportFlapping(share: share, by: rule, under: conditions)
            }
        }
    }

    /// Decides for each rule that waits for news about the path, in the order of the settings.
    mutating func decideOnPath(
        _ news: PathNews,
        at health: Health,
        among rules: [HookRule],
        under conditions: HookConditions
    ) -> [Decision] {
        rules.filter { $0.events.contains(.path) }.compactMap { rule in
            update(rule) { entry in
                entry.pathNews = news
                guard !conditions.defers(rule, on: .path) else { return nil }
                return entry.reportPath(at: health, by: rule, under: conditions)
            }
        }
    }

    /// Decides for each rule that waits for a change of the usual round trips or losses, in the order of the settings.
    mutating func decideOnShift(
        _ news: ShiftNews,
        among rules: [HookRule],
        under conditions: HookConditions
    ) -> [Decision] {
        let slot = HookTracker.Entry.shiftSlot(of: news)
        return rules.filter { $0.events.contains(.shift) }.compactMap { rule in
            update(rule) { entry in
                // The end of a change that was not reported is no news.
                entry[keyPath: slot] = news.change.isReturn && entry[keyPath: slot] != nil ? nil : news
                guard !conditions.defers(rule, on: .shift) else { return nil }
                return entry.reportShift(in: slot, by: rule, under: conditions)
            }
        }
    }

    /// Decides for each action of a target that replies again after an interruption that was not its own.
    mutating func decideOnReturn(
        _ transition: Transition,
        among rules: [HookRule],
        under conditions: HookConditions
    ) -> [Decision] {
        rules.filter(\.isAction).compactMap { rule in
            update(rule) { entry in
                if let left = entry.cooldownLeft(of: rule, for: .up, at: conditions.now) {
                    return .skip(rule, .coolingDown(left: left))
                }
                guard !conditions.isInMaintenance else { return nil }
                entry.lastFired[.up] = conditions.now
                return .fire(rule, .up, .transition(transition))
            }
        }
    }

    /// Changes the state of a rule; a rule that is disarmed has no decision.
    mutating func update(_ rule: HookRule, _ decide: (inout Entry) -> Decision?) -> Decision? {
        let before = entries[rule] ?? Entry()
        guard !before.isDisarmed else { return nil }
        var entry = before
        let decision = decide(&entry)
        if entry != before { entries[rule] = entry }
        return decision
    }

    /// Records the end of a run. The first success disarms a rule that runs once.
    mutating func record(success: Bool, of rule: HookRule) {
        guard rule.isOnce, success else { return }
        var entry = entries[rule] ?? Entry()
        entry.isDisarmed = true
        entry.dropReports()
        entries[rule] = entry
    }

    /// Revokes a run that was dropped: it begins no cooldown and reported nothing.
    mutating func revoke(_ event: HookEvent, of rule: HookRule, on context: HookContext) {
        // The cooldown of any earlier run has ended, or this one would not have fired.
        guard var entry = entries[rule], entry.lastFired[event] == context.time else { return }
        entry.lastFired[event] = nil
        if let change = context.transition, entry.deferred?.healthBefore == change.to {
            entry.deferred?.healthBefore = change.from
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
        let newest = entry.lastFired.filter { $0.key.isHealth }.values.max()
        if event.isHealth, newest.map({ $0 <= time }) ?? true { entry.restored = event.reportedHealth }
        if entry.lastFired[event].map({ $0 < time }) ?? true { entry.lastFired[event] = time }
        entries[rule] = entry
    }

    /// Removes the state of rules that were removed from the settings.
    mutating func keep(only rules: [HookRule]) {
        let kept = Set(rules)
        entries = entries.filter { kept.contains($0.key) }
    }
}

extension HookTracker.Entry {
    /// Where a change of the usual round trips or losses waits.
    static func shiftSlot(of news: ShiftNews) -> WritableKeyPath<Self, ShiftNews?> {
        news.change.isOfLevel ? \.latencyNews : \.lossNews
    }

    /// How long the cooldown of an event goes on; nil after its end.
    func cooldownLeft(of rule: HookRule, for event: HookEvent, at now: Duration) -> Duration? {
        lastFired[event].map { $0 + rule.cooldown - now }.flatMap { $0 > .zero ? $0 : nil }
    }

    fileprivate mutating func wait(
        for transition: Transition,
        after health: Health,
        beginsOutage: Bool,
        isPlanned: Bool
    ) {
        if deferred == nil {
            deferred = DeferredReport(
                transition,
                // After a restart, the rule's last report counts.
                after: restored == .down ? .down : health,
                beginsOutage: beginsOutage,
                isPlanned: isPlanned
            )
        } else {
            deferred?.add(transition, beginsOutage: beginsOutage)
        }
    }
}

/// The state of a target that decides, beside the event, whether its rules fire.
struct HookConditions: Sendable, Hashable {
    /// The present time.
    let now: Duration
    let isFlapping: Bool
    let isInMaintenance: Bool
    let isAcknowledged: Bool
    /// Whether a common cause explains the outage, or may be found to explain it.
    let mayBeExplained: Bool

    /// Whether a rule waits before it reports an event: for the end of flapping, of maintenance or of a common cause.
    func defers(_ rule: HookRule, on event: HookEvent) -> Bool {
        isInMaintenance || isFlapping && event.isHealth && !rule.runsWhileFlapping
            || mayBeExplained && event.isHealth && rule.skipsExplained
    }
}

extension TargetState {
    /// The conditions of the target's rules.
    func hookConditions(at now: Duration, mayBeExplained: Bool) -> HookConditions {
        HookConditions(
            now: now,
            isFlapping: isFlapping,
            isInMaintenance: isInMaintenance,
            isAcknowledged: isAcknowledged,
            mayBeExplained: mayBeExplained
        )
    }
}

extension HookEvent {
    /// The events that are changes of health.
    package static let ofHealth = Set(allCases.filter(\.isHealth))

    /// Whether the event is a change of health.
    var isHealth: Bool {
        switch self {
        case .up, .down, .degraded, .fault, .change: true
        case .flapping, .address, .path, .shift, .cause, .causeEnd, .test: false
        }
    }
}

/// The past of a target that its hook rules depend on: its last outage, and its health before faults.
struct OutageMemory: Sendable, Hashable {
    /// An outage. It goes on over faults and pauses.
    struct Outage: Sendable, Hashable {
        /// Since when the target is away: its first lost probe, or the start of a target that was never reachable.
        let start: Duration
        /// When its first lost probe was sent.
        var firstLoss: Duration
        /// When the first reply after it arrived; nil while it goes on.
        var end: Duration?
    }

    /// The present or the last outage.
    private(set) var last: Outage?
    /// The health before faults made it unknown.
    private var healthBeforeFaults: Health?

    /// Records a transition, whether or not it fires hooks.
    mutating func record(_ transition: Transition) {
        if transition.to == .unknown, transition.from != .unknown { healthBeforeFaults = transition.from }
        if transition.to.isReachable, last?.end == nil {
            last?.end = transition.began
            // It may have begun before the start of the program.
            if let began = transition.outage.map({ transition.began - $0 }), let outage = last {
                last?.firstLoss = min(outage.firstLoss, began)
            }
        }
        guard transition.to == .down else { return }
        switch healthBefore(transition) {
        case .down: break
        // A target that was never reachable has been away since the start, not only since the verdict.
        case .unknown: last = Outage(start: transition.start, firstLoss: transition.began)
        case .up, .degraded: last = Outage(start: transition.began, firstLoss: transition.began)
        }
    }

    /// The health before a transition; if faults made it unknown, the health before them.
    func healthBefore(_ transition: Transition) -> Health {
        transition.from == .unknown ? healthBeforeFaults ?? .unknown : transition.from
    }

    /// The health that a report of this transition counts from. A target that has another health than before its faults
    /// has changed from that one; otherwise only the faults are over.
    func healthToReport(before transition: Transition) -> Health {
        let before = healthBefore(transition)
        return before == transition.to ? transition.from : before
    }

    /// The events of a change of health, the most specific one first.
    func events(from: Health, to: Health) -> [HookEvent] {
        HookEvent.events(from: from, to: to, knownBefore: healthBeforeFaults)
    }

    /// Whether a target is reachable again, or for the first time, after a transition.
    func isRecovery(_ transition: Transition) -> Bool {
        transition.to.isReachable && !healthBefore(transition).isReachable
    }

    /// The length of the outage that a transition ends, with the faults in it; nil for other transitions.
    func outage(endedBy transition: Transition) -> Duration? {
        guard isRecovery(transition), let last, let end = last.end else { return nil }
        return end - last.firstLoss
    }
}
