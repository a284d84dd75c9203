import Monitoring

/// What a prober tells.
enum Notice {
    /// A probe has ended.
    case ended(Probe, Outcome)
    /// A reply came after its probe's timeout.
    case late(Probe)
    /// A second reply came to one probe.
    case duplicate(Probe)
}
