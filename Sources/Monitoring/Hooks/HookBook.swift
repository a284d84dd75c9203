/// What the hook rules of one target have done so far, and which of them a transition fires.
struct HookBook: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        var lastFired: Duration?
        var isDisarmed = false
    }

    private var entries: [HookRule: Entry] = [:]

    /// What becomes of a rule that a transition concerns.
    enum Decision: Sendable, Hashable {
        case fire(HookRule, HookEvent)
        case skip(HookRule, HookEvent, HookDrop)
    }

    /// Decides for every rule that waits for this transition, in the order of the settings.
    ///
    /// - Parameter isFirst: whether this is the target's first verdict since it is watched.
    mutating func decide(on transition: Transition, isFirst: Bool, among rules: [HookRule]) -> [Decision] {
        let events = HookEvent.events(of: transition)
        return rules.compactMap { rule in
            guard let event = events.first(where: rule.events.contains) else { return nil }
            guard !isFirst || rule.firesAtStart else { return nil }
            let entry = entries[rule, default: Entry()]
            guard !entry.isDisarmed else { return nil }
            if let last = entry.lastFired, transition.time - last < rule.cooldown {
                return .skip(rule, event, .coolingDown(left: rule.cooldown - (transition.time - last)))
            }
            entries[rule, default: Entry()].lastFired = transition.time
            return .fire(rule, event)
        }
    }

    /// Takes the end of a run into account: a rule that runs once is disarmed by its first success.
    mutating func record(success: Bool, of rule: HookRule) {
        guard rule.isOnce, success else { return }
        entries[rule, default: Entry()].isDisarmed = true
    }

    /// Forgets the rules that the settings no longer have.
    mutating func keep(only rules: [HookRule]) {
        let kept = Set(rules)
        entries = entries.filter { kept.contains($0.key) }
    }
}
