/// How many targets are how.
public struct Census: Sendable, Hashable {
    /// All of them.
    public private(set) var total = 0
    /// Targets that are up, and neither paused nor blocked; so for the other healths.
    public private(set) var up = 0
    /// Targets that are degraded.
    public private(set) var degraded = 0
    /// Targets that are down.
    public private(set) var down = 0
    /// Targets of which nothing is known yet.
    public private(set) var unknown = 0
    /// Targets that something else blocks.
    public private(set) var blocked = 0
    /// Targets that the user switched off.
    public private(set) var paused = 0
    /// Targets that cannot be asked; they have a health besides.
    public private(set) var faulty = 0

    /// None yet.
    public init() {}

    /// How many of the targets answer.
    public var reachable: Int { up + degraded }

    /// Counts a target.
    public mutating func add(_ glance: Glance) {
        change(glance, by: 1)
    }

    mutating func remove(_ glance: Glance) {
        change(glance, by: -1)
    }

    private mutating func change(_ glance: Glance, by step: Int) {
        total += step
        if glance.isFaulty { faulty += step }
        switch glance.health {
        case _ where glance.isPaused: paused += step
        case _ where glance.isBlocked: blocked += step
        case .up: up += step
        case .degraded: degraded += step
        case .down: down += step
        case .unknown: unknown += step
        }
    }
}
