/// What was read about the fleet since the last update.
public struct FleetUpdate: Sendable, Hashable {
    /// All targets of the fleet that are known by name, in order; nil if they are the same as before.
    public var targets: [Target]?
    /// What vantage points reported before their targets failed, by the names of targets that are new; it is recorded before
    /// ``reports``, so that a failure is a change.
    public var earlier: [String: [VantageReport]] = [:]
    /// The new reports by the names of the targets.
    public var reports: [String: [VantageReport]] = [:]
    /// The vantage points that still report, with the time, since the start of the program.
    public var reporting: [String: Duration] = [:]
    /// The number of targets by group that are only counted, since they do not fail and are not visible.
    public var counted: [String: Int] = [:]
    /// The health of these: `up`, or `unknown` while not all failing targets are known.
    public var countedHealth = Health.up
    /// The state of each server, in the order of the settings.
    public var servers: [FleetServer] = []

    /// An update without news.
    public init() {}
}
