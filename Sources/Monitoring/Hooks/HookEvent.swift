/// What fires a hook. The raw values are what `on` takes in the settings and what `REACH_EVENT` says.
public enum HookEvent: String, Sendable, Hashable, CaseIterable {
    /// The target is reachable again, or for the first time: from unknown or down to up or degraded.
    case up
    /// The target stopped answering.
    case down
    /// The target answers, but slowly or with loss.
    case degraded
    /// The target cannot be probed: faults in a row have made its health unknown.
    case fault
    /// Any change of health.
    case change
    /// The target began to go up and down too often, or has settled.
    case flapping
    /// The name stands for another address.
    case address
    /// The user tries a hook by hand. No rule waits for it.
    case test

    /// What a rule may wait for.
    public static let settable = allCases.filter { $0 != .test }

    /// The events that a transition means, the most telling one first.
    public static func events(of transition: Transition) -> [HookEvent] {
        events(from: transition.from, to: transition.to)
    }

    /// The events that a change of health means, the most telling one first.
    static func events(from: Health, to: Health) -> [HookEvent] {
        let wasReachable = from.isReachable
        return switch to {
        case .up: wasReachable ? [.change] : [.up, .change]
        case .degraded: wasReachable ? [.degraded, .change] : [.up, .degraded, .change]
        case .down: [.down, .change]
        case .unknown: from == .unknown ? [.fault] : [.fault, .change]
        }
    }

    /// The events of a transition where the health before may have been unknown because of faults.
    ///
    /// - Parameter health: what was known before the faults; nil for a target of which nothing was ever known.
    static func events(of transition: Transition, knownBefore health: Health?) -> [HookEvent] {
        guard transition.from == .unknown, transition.to != .unknown, let health else { return events(of: transition) }
        return health == transition.to ? [.change] : events(from: health, to: transition.to)
    }
}
