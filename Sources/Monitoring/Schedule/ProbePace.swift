/// The present pace of a target's probes.
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
    /// The most probes in flight for a target that is down.
    package static let maxOverlapping = 8

    /// The interval at a pace.
    func interval(at pace: ProbePace) -> Duration {
        switch pace {
        case .usual: interval
        case .retry: retryInterval
        case .recovery(halvings: 0): recoveryInterval
        case .recovery(let halvings):
            // One probe a second is 10⁶ rate units, so 10¹⁵ nanoseconds for a rate of one unit.
            .nanoseconds(1_000_000_000_000_000 / max(1, Self.rate(interval) + additionalRate >> Int(halvings)))
        }
    }

    /// The interval while the target is down: at most ``interval``, and long enough to limit the probes in flight.
    var recoveryInterval: Duration {
        let shortest = question.method.overlapsWhileDown ? timeout / Self.maxOverlapping : .zero
        return min(interval, max(downInterval, shortest))
    }

    /// The rate of additional probes while the target is down, in millionths of a probe a second.
    var additionalRate: Int { Self.rate(recoveryInterval) - Self.rate(interval) }

    private static func rate(_ interval: Duration) -> Int {
        Int(1_000_000_000_000_000 / max(1, interval.nanoseconds))
    }
}
