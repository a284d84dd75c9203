/// How often a target is probed at present.
enum ProbePace: Sendable, Hashable {
    /// Every `interval`.
    case usual
    /// Every `retry_interval`, while a verdict is pending.
    case retry
    /// Every `down_interval`, while the target is down; its additional probes are halved this many times.
    case recovery(halvings: UInt8)

    /// Whether the target is probed for its recovery.
    var isRecovery: Bool {
        if case .recovery = self { true } else { false }
    }
}

extension Target {
    /// How many probes of a target that is down may be under way at once.
    package static let mostOverlapping = 8

    /// The time from one probe to the next at a pace.
    func interval(at pace: ProbePace) -> Duration {
        switch pace {
        case .usual: interval
        case .retry: retryInterval
        case .recovery(halvings: 0): recoveryInterval
        case .recovery(let halvings):
            // One probe a second is 10⁶ of these: 10¹⁵ nanoseconds to the unit.
            .nanoseconds(1_000_000_000_000_000 / max(1, Self.rate(interval) + additionalRate >> Int(halvings)))
        }
    }

    /// The time from one probe to the next while the target is down: not longer than the interval, and not so short that
    /// too many probes would be under way.
    var recoveryInterval: Duration {
        let shortest = question.method.overlapsWhileDown ? timeout / Self.mostOverlapping : .zero
        return min(interval, max(downInterval, shortest))
    }

    /// How many probes are added in a second while the target is down, in millionths of a probe.
    var additionalRate: Int { Self.rate(recoveryInterval) - Self.rate(interval) }

    private static func rate(_ interval: Duration) -> Int {
        Int(1_000_000_000_000_000 / max(1, interval.nanoseconds))
    }
}
