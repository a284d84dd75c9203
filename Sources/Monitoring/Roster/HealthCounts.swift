/// The numbers of targets by health.
public struct HealthCounts: Sendable, Hashable {
    /// All targets.
    public private(set) var total = 0
    /// Targets that are up, and neither paused nor blocked; likewise for the other healths.
    public private(set) var up = 0
    /// Targets that are degraded.
    public private(set) var degraded = 0
    /// Targets that are degraded since their replies are slow, and for no other cause.
    package private(set) var slow = 0
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
    /// Targets with planned work; they are also counted by their health.
    package private(set) var inMaintenance = 0
    /// Targets that are down, which is expected: they are acknowledged, or in maintenance.
    package private(set) var expectedDown = 0
    /// Targets that are degraded, which is expected.
    package private(set) var expectedDegraded = 0

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
        if summary.isAcknowledged { acknowledged += step }
        if summary.isInMaintenance { inMaintenance += step }
        if summary.isFailureExpected { countExpected(summary.health, by: step) }
        switch summary.health {
        case _ where summary.isPaused: paused += step
        case _ where summary.isBlocked: blocked += step
        case .up: up += step
        case .degraded:
            degraded += step
            if summary.isSlow { slow += step }
        case .down: down += step
        case .unknown: unknown += step
        }
    }

    private mutating func countExpected(_ health: Health, by step: Int) {
        if health == .down { expectedDown += step }
        if health == .degraded { expectedDegraded += step }
    }
}
