import Monitoring

/// One question to one target, on its way.
struct Probe: Sendable, Hashable {
    let target: Target.ID
    /// Tells this watching of the target from earlier ones, whose answers are nobody's.
    let watch: Int
    /// Which of the target's probes this is, counted from one.
    let sequence: Int
    let question: Question
    let timeout: Duration
    /// When it was due and its name began to be resolved; what has passed since is the phase `resolve`.
    let made: Duration
    /// Who is asked; nil until the name is resolved.
    var address: IPAddress?
}
