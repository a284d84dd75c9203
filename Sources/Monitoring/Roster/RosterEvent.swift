/// What happened to a target, for whoever shows or logs it.
public enum RosterEvent: Sendable, Hashable {
    /// The health changed.
    case transition(Target.ID, Transition)
    /// We cannot ask. The health stays as it was, until faults in a row make it unknown.
    case fault(Target.ID, Fault)
    /// We can ask again.
    case faultCleared(Target.ID)
    /// The name stands for another address.
    case addressChanged(Target.ID, from: String, to: String)
    /// The held connection has become ready, waits, or has failed; told once, however often it is tried in vain.
    case session(Target.ID, SessionState, at: Duration)
    /// A hook that the event concerns does not run, and why.
    case hookSkipped(Target.ID, HookRule, HookDrop)
    /// A hook of the user's waits until the target is reachable.
    case armed(Target.ID, ArmedHook)
    /// An armed hook waits no longer and has not run, and why. The target, called this, may be gone.
    case disarmed(Target.ID, ArmedHook, of: String, HookDrop)
    /// A target has no hooks that could be tested.
    case hooksMissing(Target.ID)
    /// These targets are asked and judged no more, since something that they depend on is down.
    case blocked([Target.ID], by: Blocker, at: Duration)
    /// What these targets depend on is up again, and they are asked at once.
    case unblocked([Target.ID], at: Duration)
    /// The health began to change too often, or does so no longer; `share` is how often, 0…1.
    case flapping(Target.ID, isFlapping: Bool, share: Double, at: Duration)
    /// This program did not run for so long: what was under way then counts for nothing.
    case stalled(Duration, at: Duration)
}
