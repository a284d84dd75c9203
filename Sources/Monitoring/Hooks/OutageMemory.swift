/// What hook rules need to know of a target's past: when its last outage began, and its health before faults.
struct OutageMemory: Sendable, Hashable {
    /// When the present or the last outage began.
    private(set) var start: Duration?
    /// The health before faults made it unknown.
    private var healthBeforeFaults: Health?

    /// Records a transition, whether or not it fires hooks.
    mutating func record(_ transition: Transition) {
        if transition.to == .unknown, transition.from != .unknown { healthBeforeFaults = transition.from }
        guard transition.to == .down else { return }
        switch healthBefore(transition) {
        case .down: break
        // A target that was never reachable has been away since the start, not only since the verdict.
        case .unknown: start = transition.start
        case .up, .degraded: start = transition.began
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

    /// How long a target was unreachable that is reachable now, from the start of its outage or of the unknown health;
    /// nil for other transitions.
    func absence(endedBy transition: Transition) -> Duration? {
        let before = healthBefore(transition)
        guard transition.to.isReachable, !before.isReachable else { return nil }
        return transition.began - ((before == .down ? start : nil) ?? transition.start)
    }
}
