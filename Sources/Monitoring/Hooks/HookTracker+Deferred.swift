// A transition during a cooldown is deferred. It is reported when the cooldown ends, unless the health is then the one
// reported last.
extension HookTracker {
    /// A deferred report that is due.
    struct Report: Sendable, Hashable {
        let rule: HookRule
        let event: HookEvent
        let transition: Transition
    }

    /// Whether a transition is deferred.
    var hasDeferredReports: Bool {
        entries.values.contains { $0.deferred != nil }
    }

    /// When the first cooldown with a deferred report ends; nil if there is none.
    func nextReport(of health: Health, among rules: [HookRule]) -> Duration? {
        rules.compactMap { due($0, health)?.time }.min()
    }

    /// Removes and returns the reports that are due, in the order of the settings. Reports that are no longer needed
    /// are dropped.
    mutating func removeDueReports(of health: Health, at now: Duration, among rules: [HookRule]) -> [Report] {
        rules.compactMap { rule in
            guard let transition = entries[rule]?.deferred else { return nil }
            guard let due = due(rule, health) else {
                entries[rule]?.deferred = nil
                return nil
            }
            guard due.time <= now else { return nil }
            fire(rule, on: due.event, at: now, reporting: transition)
            return Report(rule: rule, event: due.event, transition: transition)
        }
    }

    /// Defers revoked runs of a target that stopped flapping: while it flapped, no other run reported them.
    mutating func deferRevoked(_ transition: Transition) {
        for (rule, entry) in entries where entry.isRevoked { entries[rule]?.deferred = transition }
    }

    /// Drops all deferred reports.
    mutating func dropDeferredReports() {
        for rule in entries.keys { entries[rule]?.deferred = nil }
    }

    /// The event that reports the present health instead of the last reported one, and the time from which it may.
    private func due(_ rule: HookRule, _ health: Health) -> (event: HookEvent, time: Duration)? {
        guard let entry = entries[rule], let deferred = entry.deferred, !entry.isDisarmed else { return nil }
        guard let reported = entry.reported, reported != health else { return nil }
        let events = HookEvent.events(from: reported, to: health)
        guard let event = events.first(where: rule.events.contains) else { return nil }
        return (event, entry.lastFired[event].map { $0 + rule.cooldown } ?? deferred.time)
    }
}
