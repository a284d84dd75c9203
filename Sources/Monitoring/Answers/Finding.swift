/// What a prober has to tell. Findings cross from the event loops in batches.
public enum Finding: Sendable, Hashable {
    /// A probe has ended.
    case observation(Observation)
    /// A reply came after its probe had timed out; the outcome stands.
    case late(Target.ID)
    /// A second reply came to one probe; the outcome stands.
    case duplicate(Target.ID)
    /// The target's name stands for another address than before, known since this time.
    case addressChanged(Target.ID, from: String, to: String, at: Duration)
    /// The name of a target that has a row for each address stands for these, known since this time; not empty.
    case addresses(Target.ID, [String], at: Duration)
    /// The held connection of the target has changed its state, at this time since the start of the program. One that is
    /// ready leads to this numeric address.
    case session(Target.ID, SessionState, address: String? = nil, at: Duration)
    /// Something leads out of this machine, or nothing does, at this time since the start of the program; told again when
    /// links, addresses or routes have changed.
    case link(isUp: Bool, at: Duration)
    /// The program did not run for `gap`: the probes that were under way have no end.
    case stalled(gap: Duration, at: Duration)
}
