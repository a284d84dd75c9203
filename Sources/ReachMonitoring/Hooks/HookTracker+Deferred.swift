// A rule waits for the end of its cooldown, of flapping, of maintenance and of a common cause. Then it reports what has changed
// since its last report, unless that is again the state from before.
extension HookTracker {
    /// The state of a target that its rules report.
    struct ReportedState: Sendable, Hashable {
        let health: Health
        let address: String?
        let flappingShare: Double
    }

    /// Whether a report is deferred.
    var hasDeferredReports: Bool {
        entries.values.contains(where: \.isWaiting)
    }

    /// When the first deferred report is due or can be dropped; nil if there is none, or none before the end of flapping
    /// or maintenance.
    func nextReport(of state: ReportedState, among rules: [HookRule], under conditions: HookConditions) -> Duration? {
        rules.compactMap { rule in
            entries[rule].flatMap { entry in
                deferredEvents(of: entry, for: rule, at: state.health)
                    .filter { !conditions.defers(rule, on: $0) }
                    .map { entry.lastFired[$0].map { $0 + rule.cooldown } ?? .zero }
                    .min()
            }
        }
        .min()
    }

    /// Decides for the rules whose wait is over, in the order of the settings. Reports without news are dropped.
    mutating func decideDue(
        _ state: ReportedState,
        among rules: [HookRule],
        under conditions: HookConditions
    ) -> [Decision] {
        let outages = outages
        return rules.flatMap { rule -> [Decision] in
            guard let entry = entries[rule] else { return [] }
            let due = deferredEvents(of: entry, for: rule, at: state.health).filter { event in
                !conditions.defers(rule, on: event)
                    && entry.cooldownLeft(of: rule, for: event, at: conditions.now) == nil
            }
            return due.compactMap { event in
                update(rule) { entry in
                    switch event {
                    case .address:
                        state.address.flatMap { entry.reportAddress($0, by: rule, under: conditions) }
                    case .path:
                        entry.reportPath(at: state.health, by: rule, under: conditions)
                    case .shift:
                        entry.reportShift(in: \.latencyNews, by: rule, under: conditions)
                            ?? entry.reportShift(in: \.lossNews, by: rule, under: conditions)
                    case .flapping:
                        entry.reportFlapping(share: state.flappingShare, by: rule, under: conditions)
                    default:
                        entry.report(state.health, by: rule, after: outages, under: conditions)
                    }
                }
            }
        }
    }

    /// The events by which a rule reports what is deferred. A change of health without news has the event `change`.
    private func deferredEvents(of entry: Entry, for rule: HookRule, at health: Health) -> [HookEvent] {
        var events: [HookEvent] = []
        if entry.addressBefore != nil { events.append(.address) }
        if entry.wasFlapping != nil { events.append(.flapping) }
        if entry.pathNews != nil { events.append(.path) }
        if entry.latencyNews != nil || entry.lossNews != nil { events.append(.shift) }
        if let deferred = entry.deferred {
            events.append(deferred.event(for: rule, at: health, after: outages) ?? .change)
        }
        return events
    }

    /// Drops the deferred reports of rules that only wait for a cooldown.
    mutating func dropDeferredReports(under conditions: HookConditions) {
        for rule in entries.keys where !conditions.defers(rule, on: .change) { entries[rule]?.dropReports() }
    }

    /// Drops the reports of what happened in maintenance, if the health at its end is the one from before. An outage that
    /// began in it and goes on is reported.
    mutating func endMaintenance(at health: Health, before: Health) {
        for (rule, entry) in entries where entry.deferred?.isPlanned == true {
            if health == before, health != .down || entry.deferred?.hasOutage == false {
                entries[rule]?.deferred = nil
            } else {
                entries[rule]?.deferred?.isPlanned = false
            }
        }
    }
}

extension HookTracker.Entry {
    /// Reports the health, if it is news.
    mutating func report(
        _ health: Health,
        by rule: HookRule,
        after outages: OutageMemory,
        under conditions: HookConditions
    ) -> HookTracker.Decision? {
        guard let deferred, let event = deferred.event(for: rule, at: health, after: outages) else {
            (self.deferred, restored) = (nil, nil)
            return nil
        }
        let transition = deferred.transition(after: outages)
        if outages.isRecovery(transition), let drop = rule.refusal(of: deferred, after: outages) {
            (self.deferred, restored) = (nil, nil)
            return .skip(rule, drop)
        }
        return fire(rule, on: event, by: .transition(transition), under: conditions) {
            ($0.deferred, $0.restored) = (nil, nil)
        }
    }

    /// Reports another address, if it is not the one from before.
    mutating func reportAddress(
        _ address: String,
        by rule: HookRule,
        under conditions: HookConditions
    ) -> HookTracker.Decision? {
        guard let before = addressBefore, before != address else {
            addressBefore = nil
            return nil
        }
        let trigger = HookContext.Trigger.address(from: before, to: address)
        return fire(rule, on: .address, by: trigger, under: conditions) { $0.addressBefore = nil }
    }

    /// Reports the begin or the end of flapping, if that is not the state from before.
    mutating func reportFlapping(
        share: Double,
        by rule: HookRule,
        under conditions: HookConditions
    ) -> HookTracker.Decision? {
        guard let before = wasFlapping, before != conditions.isFlapping else {
            wasFlapping = nil
            return nil
        }
        let trigger = HookContext.Trigger.flapping(isFlapping: !before, share: share)
        return fire(rule, on: .flapping, by: trigger, under: conditions) { $0.wasFlapping = nil }
    }

    /// Reports the newest news about the path, unless it is about an outage that has ended.
    mutating func reportPath(
        at health: Health,
        by rule: HookRule,
        under conditions: HookConditions
    ) -> HookTracker.Decision? {
        guard let news = pathNews else { return nil }
        if case .ended = news, health != .down {
            pathNews = nil
            return nil
        }
        return fire(rule, on: .path, by: .path(news), under: conditions) { $0.pathNews = nil }
    }

    /// Reports a change of the usual round trips or losses.
    mutating func reportShift(
        in slot: WritableKeyPath<Self, ShiftNews?>,
        by rule: HookRule,
        under conditions: HookConditions
    ) -> HookTracker.Decision? {
        guard let news = self[keyPath: slot] else { return nil }
        return fire(rule, on: .shift, by: .shift(news), under: conditions) { $0[keyPath: slot] = nil }
    }

    /// Forgets what is not reported yet.
    mutating func dropReports() {
        (deferred, addressBefore, wasFlapping, pathNews) = (nil, nil, nil, nil)
        (latencyNews, lossNews) = (nil, nil)
    }

    /// Fires a rule for an event. During the cooldown of the event, its report stays deferred.
    ///
    /// - Parameter forget: removes the report.
    fileprivate mutating func fire(
        _ rule: HookRule,
        on event: HookEvent,
        by trigger: HookContext.Trigger,
        under conditions: HookConditions,
        forget: (inout Self) -> Void
    ) -> HookTracker.Decision {
        if conditions.isAcknowledged, rule.skipsAcknowledged {
            forget(&self)
            return .skip(rule, .acknowledged)
        }
        if let left = cooldownLeft(of: rule, for: event, at: conditions.now) {
            return .skip(rule, .coolingDown(left: left))
        }
        forget(&self)
        lastFired[event] = conditions.now
        return .fire(rule, event, trigger)
    }
}

extension HookRule {
    /// Why the rule does not report a recovery because of the length of the outage; nil if it does.
    fileprivate func refusal(of report: DeferredReport, after outages: OutageMemory) -> HookDrop? {
        let outage = outages.last
        let end = outage?.end ?? report.newest.began
        if let within, end - (outage?.start ?? report.first.start) > within { return .expired(within: within) }
        guard let length = outage.map({ end - $0.firstLoss }), length < minDown else { return nil }
        return .tooShort(outage: length, minDown: minDown)
    }
}

/// The transitions that a rule has not reported yet, since it waits: for the end of its cooldown, of flapping or of
/// maintenance. When the wait ends, the rule reports the health of that time, if this is news.
struct DeferredReport: Sendable, Hashable {
    /// The health before the first of the transitions.
    var healthBefore: Health
    /// The first of them.
    let first: Transition
    /// The newest of them.
    private(set) var newest: Transition
    /// Whether one of them began an outage. Then an outage is news even if the health before was down too.
    private(set) var hasOutage: Bool
    /// Whether the first of them was in the present maintenance.
    var isPlanned: Bool

    /// Creates a report for a first transition.
    init(_ transition: Transition, after health: Health, beginsOutage: Bool, isPlanned: Bool) {
        healthBefore = health
        (first, newest) = (transition, transition)
        hasOutage = beginsOutage
        self.isPlanned = isPlanned
    }

    /// Adds a later transition.
    mutating func add(_ transition: Transition, beginsOutage: Bool) {
        newest = transition
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
    func transition(after outages: OutageMemory) -> Transition {
        guard newest != first, newest.from != healthBefore, newest.to != healthBefore else { return newest }
        // The outage ended with the first reply, before other changes of a reachable target. It goes on over faults.
        let isRecovered = healthBefore == .down && newest.to.isReachable
        let end = isRecovered ? outages.last?.end ?? newest.start : newest.began
        return Transition(
            from: healthBefore,
            to: newest.to,
            time: newest.time,
            began: end,
            lasted: isRecovered ? end - (outages.last?.firstLoss ?? end) : newest.lasted,
            cause: newest.cause
        )
        .withLateReply(after: newest.lateRoundTrip)
        .with(newest.certificate, expiry: newest.certificateExpiry)
        .with(newest.path)
    }
}
