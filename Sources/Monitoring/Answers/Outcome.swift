/// How a probe ended: sixteen bytes, since most are replies and thousands cross at a time.
public enum Outcome: Sendable, Hashable {
    /// The target answered properly.
    case reply(Reply)
    /// Nothing came within the target's timeout.
    case timeout
    /// The target, or something on the way to it, said no.
    indirect case failure(Failure)
    /// We could not ask; the target's health stays as it was.
    indirect case fault(Fault)

    /// The target answered properly, this long after it was asked, and told nothing else.
    public static func reply(roundTrip: Duration) -> Outcome {
        .reply(Reply(roundTrip: roundTrip))
    }

    /// Whether the probe is finished and unanswered: what loss counts.
    public var isLoss: Bool {
        switch self {
        case .timeout, .failure: true
        case .reply, .fault: false
        }
    }
}
