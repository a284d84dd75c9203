import Monitoring

/// One question to one target, on its way.
struct Probe: Sendable, Hashable {
    let target: Target.ID
    /// Tells this watching of the target from earlier ones, whose answers are nobody's.
    let watch: Int
    /// Which of the target's probes this is, counted from one.
    let sequence: Int
    let question: Question
    /// The family that the target is asked in, for whoever looks up another name on the target's behalf.
    var family = Family.any
    /// The address or the interface that it leaves from; the system's choice when absent.
    var source: String?
    let timeout: Duration
    /// When it was due and its name began to be resolved; what has passed since is the phase `resolve`.
    let made: Duration
    /// Who is asked; nil until the name is resolved.
    var address: IPAddress?

    /// When it is lost: resolving the name is a part of it.
    var deadline: Duration { made + timeout }
}
