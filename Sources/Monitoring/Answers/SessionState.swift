/// Where a held connection stands. The names of the states are those that Apple's Network framework has for a
/// connection.
public enum SessionState: Sendable, Hashable {
    /// Nothing has been tried yet.
    case setup
    /// The connection is being made, or what has to be said first is not said yet.
    case preparing
    /// There is no way out to the peer, for this reason; it is tried again.
    case waiting(Failure)
    /// The connection stands, and the peer has said what is expected.
    case ready
    /// The connection broke, or could not be made, for this cause; it is tried again.
    case failed(Cause)
    /// The connection is wanted no more.
    case cancelled

    /// What a connection died of.
    public enum Cause: Sendable, Hashable {
        /// The peer fell silent.
        case timeout
        /// The peer, or something on the way to it, said no.
        case failure(Failure)
        /// We could not connect.
        case fault(Fault)

        /// What an outcome says about the connection that it ended; nil for a reply, which ends none.
        public init?(_ outcome: Outcome) {
            switch outcome {
            case .reply: return nil
            case .timeout: self = .timeout
            case .failure(let failure): self = .failure(failure)
            case .fault(let fault): self = .fault(fault)
            }
        }

        /// How a probe ends that asks for the dead connection.
        public var outcome: Outcome {
            switch self {
            case .timeout: .timeout
            case .failure(let failure): .failure(failure)
            case .fault(let fault): .fault(fault)
            }
        }
    }
}
