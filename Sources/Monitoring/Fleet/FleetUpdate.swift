/// What was read about the fleet since the last update.
public struct FleetUpdate: Sendable, Hashable {
    /// All targets of the fleet that are known by name, in order; nil if they are the same as before.
    public var targets: [Target]?
    /// The new reports by the names of the targets.
    public var reports: [String: [VantageReport]] = [:]
    /// The vantage points that still report, with the time, since the start of the program.
    public var reporting: [String: Duration] = [:]
    /// The number of targets by group that are only counted, since they answer and are not visible.
    public var counted: [String: Int] = [:]
    /// The state of each server, in the order of the settings.
    public var servers: [FleetServer] = []

    /// An update without news.
    public init() {}
}
