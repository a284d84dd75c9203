import Monitoring

/// What a prober tells.
enum Notice {
    /// A probe has ended.
    case ended(Probe, Outcome)
    /// A reply came after its probe's timeout.
    case late(EndedProbe)
    /// A second reply came to one probe.
    case duplicate(EndedProbe)
    /// There is something to tell of a target before its next probe is due.
    case hasten(Target.ID)
    /// The held connection of a target has changed its state; one that is ready leads to this address.
    case session(Target.ID, SessionState, IPAddress? = nil)
}
