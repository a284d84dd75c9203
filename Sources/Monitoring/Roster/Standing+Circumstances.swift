// What is seldom so takes no room where it is not so, and is asked for as if it did.
extension Standing {
    /// Why we cannot ask, while we cannot.
    public internal(set) var fault: Fault? {
        get { rare?.value.fault }
        set { set(\.fault, to: newValue) }
    }

    /// How many probes in a row could not be sent; counted no further than a verdict takes.
    var faultCount: Int {
        get { rare?.value.faultCount ?? 0 }
        set { set(\.faultCount, to: newValue) }
    }

    /// When the first of them was due.
    var faultsSince: Duration {
        get { rare?.value.faultsSince ?? .zero }
        set { set(\.faultsSince, to: newValue) }
    }

    /// The changes of health of the last while; nil where there were none.
    var flapping: Flapping? {
        get { rare?.value.flapping }
        set { set(\.flapping, to: newValue) }
    }

    /// Where the held connection stands, for a target that is asked by one.
    public internal(set) var session: SessionState? {
        get { rare?.value.session }
        set { set(\.session, to: newValue) }
    }

    /// Since when it stands there.
    public internal(set) var sessionSince: Duration? {
        get { rare?.value.sessionSince }
        set { set(\.sessionSince, to: newValue) }
    }

    /// What was told of the session last.
    var toldSession: SessionState? {
        get { rare?.value.toldSession }
        set { set(\.toldSession, to: newValue) }
    }

    /// When the user paused the target, while it is paused.
    public internal(set) var pausedSince: Duration? {
        get { rare?.value.pausedSince }
        set { set(\.pausedSince, to: newValue) }
    }

    /// The hooks that wait until the target is reachable, in the order in which they were armed.
    package internal(set) var armed: [ArmedHook] {
        get { rare?.value.armed ?? [] }
        set { set(\.armed, to: newValue) }
    }

    /// What is down that the target depends on: until it is up again, the target is neither asked nor judged.
    public internal(set) var blockedBy: Blocker? {
        get { rare?.value.blockedBy }
        set { set(\.blockedBy, to: newValue) }
    }

    /// When that began.
    var blockedSince: Duration {
        get { rare?.value.blockedSince ?? .zero }
        set { set(\.blockedSince, to: newValue) }
    }

    /// When it was asked again after a pause or a blockade; what was found before belongs to what was before.
    var askedSince: Duration {
        get { rare?.value.askedSince ?? .zero }
        set { set(\.askedSince, to: newValue) }
    }

    /// Whose answers the verdict on the target's losses waits for.
    var awaited: Set<DependencyGraph.Parent> {
        get { rare?.value.awaited ?? [] }
        set { set(\.awaited, to: newValue) }
    }

    /// When the lost probe was sent that made the verdict due; answers to earlier probes say nothing.
    var awaitedSince: Duration {
        get { rare?.value.awaitedSince ?? .zero }
        set { set(\.awaitedSince, to: newValue) }
    }

    /// The health that hooks were told last, while the target flaps.
    var healthTold: Health {
        get { rare?.value.healthTold ?? .unknown }
        set { set(\.healthTold, to: newValue) }
    }

    /// The last transition that hooks were not told, while the target flaps.
    var withheld: Transition? {
        get { rare?.value.withheld }
        set { set(\.withheld, to: newValue) }
    }

    /// What the hook rules have done so far.
    var hookBook: HookBook {
        get { rare?.value.hookBook ?? HookBook() }
        set { set(\.hookBook, to: newValue) }
    }

    private mutating func set<Value: Equatable>(_ part: WritableKeyPath<Circumstances, Value>, to value: Value) {
        var circumstances = rare?.value ?? .none
        guard circumstances[keyPath: part] != value else { return }
        circumstances[keyPath: part] = value
        rare = circumstances == .none ? nil : Shared(circumstances)
    }
}
