/// How a probe ended.
public enum Outcome: Sendable, Hashable {
    /// The target answered properly, this long after it was asked.
    case reply(roundTrip: Duration)
    /// Nothing came within the target's timeout.
    case timeout
    /// The target, or something on the way to it, said no.
    case failure(Failure)
    /// We could not ask; the target's health stays as it was.
    case fault(Fault)

    /// Whether the probe is finished and unanswered: what loss counts.
    public var isLoss: Bool {
        switch self {
        case .timeout, .failure: true
        case .reply, .fault: false
        }
    }
}
