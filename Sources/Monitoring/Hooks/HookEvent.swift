/// The events that fire a hook. The raw values are the values of `on` in the settings and of `REACH_EVENT`.
public enum HookEvent: String, Sendable, Hashable, CaseIterable {
    /// The target is reachable again, or for the first time: from unknown or down to up or degraded.
    case up
    /// The target went down.
    case down
    /// The target replies, but slowly, with loss or with a warning.
    case degraded
    /// The target cannot be probed: faults in a row made its health unknown.
    case fault
    /// Any change of health.
    case change
    /// The target began or stopped flapping.
    case flapping
    /// The name resolves to another address.
    case address
    /// The user tests a hook. No rule can wait for this event.
    case test

    /// The events that a rule can wait for.
    public static let settable = allCases.filter { $0 != .test }

    /// The health that a run for the event reports; nil if the event does not tell it.
    var reportedHealth: Health? {
        switch self {
        case .up: .up
        case .down: .down
        case .degraded: .degraded
        case .fault, .change, .flapping, .address, .test: nil
        }
    }

    /// The events of a transition, the most specific one first.
    public static func events(of transition: Transition) -> [HookEvent] {
        events(from: transition.from, to: transition.to)
    }

    /// The events of a change of health, the most specific one first.
    static func events(from: Health, to: Health) -> [HookEvent] {
        let wasReachable = from.isReachable
        return switch to {
        case .up: wasReachable ? [.change] : [.up, .change]
        case .degraded: wasReachable ? [.degraded, .change] : [.up, .degraded, .change]
        case .down: [.down, .change]
        case .unknown: from == .unknown ? [.fault] : [.fault, .change]
        }
    }

    /// The events of a change of health where the health before may have been unknown because of faults.
    ///
    /// - Parameter health: the health before the faults; nil for a target that never had a verdict.
    static func events(from: Health, to: Health, knownBefore health: Health?) -> [HookEvent] {
        guard from == .unknown, to != .unknown, let health else { return events(from: from, to: to) }
        return health == to ? [.change] : events(from: health, to: to)
    }
}
