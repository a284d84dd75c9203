import Monitoring

/// A target that is asked, and how far that has come.
struct Watch {
    /// Tells this watching of the target from earlier ones.
    let number: Int
    var target: Target
    /// The address, where the host is one; no name needs to be resolved.
    var literal: IPAddress?
    /// How many probes were made.
    var sequence = 0
    /// How many of them have not ended.
    var inFlight = 0
    /// Whether it was due while a probe was in flight, and has to be asked when that one ends.
    var isOwedProbe = false

    init(number: Int, target: Target) {
        self.number = number
        self.target = target
        literal = IPAddress(literal: target.question.host)
    }
}
