/// The state that few targets have: pauses, blocks, faults, flapping, acknowledgements, maintenance, hooks, sessions and late
/// replies. See
/// ``TargetState``.
struct RareState: Sendable, Hashable {
    var fault: Fault?
    var faultCount = 0
    var faultsSince = Duration.zero
    var newestFault = Duration.zero
    var flapping: Flapping?
    var outageStart: Duration?
    var session: SessionState?
    var sessionSince: Duration?
    var reportedSession: SessionState?
    var pausedSince: Duration?
    var acknowledgement: Acknowledgement?
    var maintenance: Maintenance?
    var armed: [ArmedHook] = []
    var blockedBy: Blocker?
    var blockedSince = Duration.zero
    var probedSince = Duration.zero
    var awaitedParents: Set<DependencyGraph.Parent> = []
    var parentsAwaitedSince = Duration.zero
    var hookTracker = HookTracker()
    var lateReply: LateReply?

    /// The state of a target that has none of these.
    static let none = RareState()
}
