/// What follows from an event: what to tell, what to ask, what to run.
public struct Consequences: Sendable, Hashable {
    /// What happened, in order.
    public var events: [RosterEvent] = []
    /// What the prober is to do.
    public var requests: [ProbeRequest] = []
    /// The targets that the settings no longer have.
    public var removed: [Target.ID] = []
    /// The hooks that are due, in order.
    public var runs: [HookRun] = []

    /// Nothing follows.
    public init() {}
}
