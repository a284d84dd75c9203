// What a cooldown held back is reported when it ends, if health is not what was reported last.
extension HookBook {
    /// What is to be reported now, and of which transition.
    struct Report: Sendable, Hashable {
        let rule: HookRule
        let event: HookEvent
        let transition: Transition
    }

    /// Whether a transition was held back that may have to be reported.
    var isOwing: Bool {
        entries.values.contains { $0.owed != nil }
    }

    /// When the first cooldown ends that holds a report back; nil when none does.
    func nextReport(of health: Health, among rules: [HookRule]) -> Duration? {
        rules.compactMap { due($0, health)?.time }.min()
    }

    /// Takes out the reports that are due, in the order of the settings. What need not be reported any more is forgotten.
    mutating func takeReports(of health: Health, at now: Duration, among rules: [HookRule]) -> [Report] {
        rules.compactMap { rule in
            guard let transition = entries[rule]?.owed else { return nil }
            guard let due = due(rule, health) else {
                entries[rule]?.owed = nil
                return nil
            }
            guard due.time <= now else { return nil }
            fire(rule, on: due.event, at: now, reporting: transition)
            return Report(rule: rule, event: due.event, transition: transition)
        }
    }

    /// Holds back, of a target that has flapped, what was dropped before: while it flapped, nothing else reported it.
    mutating func oweTakenBack(_ transition: Transition) {
        for (rule, entry) in entries where entry.isTakenBack { entries[rule]?.owed = transition }
    }

    /// Forgets what was held back.
    mutating func forgetOwed() {
        for rule in entries.keys { entries[rule]?.owed = nil }
    }

    /// By which event a rule reports the present health instead of what it reported last, and from when on it may.
    private func due(_ rule: HookRule, _ health: Health) -> (event: HookEvent, time: Duration)? {
        guard let entry = entries[rule], let owed = entry.owed, !entry.isDisarmed else { return nil }
        guard let reported = entry.reported, reported != health else { return nil }
        let events = HookEvent.events(from: reported, to: health)
        guard let event = events.first(where: rule.events.contains) else { return nil }
        return (event, entry.lastFired[event].map { $0 + rule.cooldown } ?? owed.time)
    }
}
