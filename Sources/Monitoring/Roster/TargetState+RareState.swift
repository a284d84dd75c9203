// Accessors for the rare state: a property without a value takes no memory.
extension TargetState {
    /// Why the target cannot be probed, while it cannot.
    public internal(set) var fault: Fault? {
        get { rare?.value.fault }
        set { set(\.fault, to: newValue) }
    }

    /// The number of faults in a row; not counted beyond the threshold.
    var faultCount: Int {
        get { rare?.value.faultCount ?? 0 }
        set { set(\.faultCount, to: newValue) }
    }

    /// When the first of these probes was due.
    var faultsSince: Duration {
        get { rare?.value.faultsSince ?? .zero }
        set { set(\.faultsSince, to: newValue) }
    }

    /// When the newest of them was due.
    var newestFault: Duration {
        get { rare?.value.newestFault ?? .zero }
        set { set(\.newestFault, to: newValue) }
    }

    /// The recent changes of health; nil if there were none.
    var flapping: Flapping? {
        get { rare?.value.flapping }
        set { set(\.flapping, to: newValue) }
    }

    /// When the outage began that the target had at the end of the run before, until it ends.
    var outageStart: Duration? {
        get { rare?.value.outageStart }
        set { set(\.outageStart, to: newValue) }
    }

    /// The state of the session, for a target with the method `session`.
    public internal(set) var session: SessionState? {
        get { rare?.value.session }
        set { set(\.session, to: newValue) }
    }

    /// When the session entered that state.
    public internal(set) var sessionSince: Duration? {
        get { rare?.value.sessionSince }
        set { set(\.sessionSince, to: newValue) }
    }

    /// The state of the session that was reported last.
    var reportedSession: SessionState? {
        get { rare?.value.reportedSession }
        set { set(\.reportedSession, to: newValue) }
    }

    /// When the user paused the target, while it is paused.
    public internal(set) var pausedSince: Duration? {
        get { rare?.value.pausedSince }
        set { set(\.pausedSince, to: newValue) }
    }

    /// The user's note that the failure is known; nil if there is none.
    package internal(set) var acknowledgement: Acknowledgement? {
        get { rare?.value.acknowledgement }
        set { set(\.acknowledgement, to: newValue) }
    }

    /// The planned work at the target, while hooks and alerts wait; nil if there is none.
    package internal(set) var maintenance: Maintenance? {
        get { rare?.value.maintenance }
        set { set(\.maintenance, to: newValue) }
    }

    /// The hooks that wait until the target is reachable, in the order in which they were armed.
    package internal(set) var armed: [ArmedHook] {
        get { rare?.value.armed ?? [] }
        set { set(\.armed, to: newValue) }
    }

    /// The dependency that is down. Until it is up again, the target is neither probed nor judged.
    public internal(set) var blockedBy: Blocker? {
        get { rare?.value.blockedBy }
        set { set(\.blockedBy, to: newValue) }
    }

    /// When the block began.
    var blockedSince: Duration {
        get { rare?.value.blockedSince ?? .zero }
        set { set(\.blockedSince, to: newValue) }
    }

    /// When probing began again after a pause or a block; earlier findings are ignored.
    var probedSince: Duration {
        get { rare?.value.probedSince ?? .zero }
        set { set(\.probedSince, to: newValue) }
    }

    /// The parents whose replies the verdict on the target's losses waits for.
    var awaitedParents: Set<DependencyGraph.Parent> {
        get { rare?.value.awaitedParents ?? [] }
        set { set(\.awaitedParents, to: newValue) }
    }

    /// When the lost probe was sent that made the verdict due. The parents' replies to earlier probes do not count.
    var parentsAwaitedSince: Duration {
        get { rare?.value.parentsAwaitedSince ?? .zero }
        set { set(\.parentsAwaitedSince, to: newValue) }
    }

    /// The history of the hook rules.
    var hookTracker: HookTracker {
        get { rare?.value.hookTracker ?? HookTracker() }
        set { set(\.hookTracker, to: newValue) }
    }

    /// The newest reply that came after its timeout, while the target loses probes; nil if there is none.
    var lateReply: LateReply? {
        get { rare?.value.lateReply }
        set { set(\.lateReply, to: newValue) }
    }

    private mutating func set<Value: Equatable>(_ part: WritableKeyPath<RareState, Value>, to value: Value) {
        var rareState = rare?.value ?? .none
        guard rareState[keyPath: part] != value else { return }
        rareState[keyPath: part] = value
        rare = rareState == .none ? nil : Shared(rareState)
    }
}
