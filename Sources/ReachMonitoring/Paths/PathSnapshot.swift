/// The path to a target as it is known at one time, for the screen.
public struct PathSnapshot: Sendable {
    /// The time since the start of the program.
    public var time: Duration
    /// The hops.
    public var trace: PathTrace
    /// Why the newest probe could not be sent; nil if it was sent.
    public var problem: String?
    /// The names of the hops by address, as far as they are known.
    public var names: [String: String]
    /// The autonomous systems of the hops by address, as far as they are known.
    public var systems: [String: AutonomousSystems.System]

    /// Creates a snapshot.
    public init(
        time: Duration,
        trace: PathTrace,
        problem: String? = nil,
        names: [String: String] = [:],
        systems: [String: AutonomousSystems.System] = [:]
    ) {
        (self.time, self.trace, self.problem) = (time, trace, problem)
        (self.names, self.systems) = (names, systems)
    }
}

/// The paths that the screen shows.
public enum PathRequest: Sendable, Hashable {
    /// None.
    case none
    /// The path to one target, which is probed every second meanwhile.
    case one(Target.ID)
    /// The paths to all targets, as they are known.
    case all
}
