/// The outcome of a probe. It takes sixteen bytes: thousands cross between event loops at a time, and most are replies.
public enum Outcome: Sendable, Hashable, Codable {
    /// The target sent a proper reply.
    case reply(Reply)
    /// No reply arrived within the target's timeout.
    case timeout
    /// The target, or a router in between, rejected the probe, or its reply is wrong.
    indirect case failure(Failure)
    /// This machine could not probe; the target's health stays as it was.
    indirect case fault(Fault)

    /// Creates a reply that carries a round trip and nothing else.
    public static func reply(roundTrip: Duration) -> Outcome {
        .reply(Reply(roundTrip: roundTrip))
    }

    /// Whether the probe counts as a loss: it is finished and has no proper reply.
    public var isLoss: Bool {
        switch self {
        case .timeout, .failure: true
        case .reply, .fault: false
        }
    }
}
