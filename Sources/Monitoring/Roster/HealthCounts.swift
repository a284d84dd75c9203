/// The numbers of targets by health.
public struct HealthCounts: Sendable, Hashable {
    /// All targets.
    public private(set) var total = 0
    /// Targets that are up, and neither paused nor blocked; likewise for the other healths.
    public private(set) var up = 0
    /// Targets that are degraded.
    public private(set) var degraded = 0
    /// Targets that are down.
    public private(set) var down = 0
    /// Targets without a verdict yet.
    public private(set) var unknown = 0
    /// Targets that are blocked by a dependency.
    public private(set) var blocked = 0
    /// Targets that the user paused.
    public private(set) var paused = 0
    /// Targets with a fault; they are also counted by their health.
    public private(set) var faulty = 0
    /// Targets that are flapping; they are also counted by their health.
    public private(set) var flapping = 0

    /// Targets whose vantage points disagree; they are also counted by their health.
    package private(set) var disputed = 0
    /// Targets that are acknowledged; they are also counted by their health.
    package private(set) var acknowledged = 0
    /// Targets that are down and acknowledged.
    package private(set) var acknowledgedDown = 0
    /// Targets that are degraded and acknowledged.
    package private(set) var acknowledgedDegraded = 0

    /// Creates zero counts.
    public init() {}

    /// The number of targets that reply.
    public var reachable: Int { up + degraded }

    /// Counts a target.
    public mutating func add(_ summary: TargetSummary) {
        change(summary, by: 1)
    }

    mutating func remove(_ summary: TargetSummary) {
        change(summary, by: -1)
    }

    private mutating func change(_ summary: TargetSummary, by step: Int) {
        total += step
        if summary.isFaulty { faulty += step }
        if summary.isFlapping { flapping += step }
        if summary.isDisputed { disputed += step }
        if summary.isAcknowledged { countAcknowledged(summary.health, by: step) }
        switch summary.health {
        case _ where summary.isPaused: paused += step
        case _ where summary.isBlocked: blocked += step
        case .up: up += step
        case .degraded: degraded += step
        case .down: down += step
        case .unknown: unknown += step
        }
    }

    private mutating func countAcknowledged(_ health: Health, by step: Int) {
        acknowledged += step
        if health == .down { acknowledgedDown += step }
        if health == .degraded { acknowledgedDegraded += step }
    }
}
