/// The state of a session. The states have the names of `NWConnection.State` in Apple's Network framework.
public enum SessionState: Sendable, Hashable {
    /// No attempt has been made yet.
    case setup
    /// The connection is being established, or its first messages are being exchanged.
    case preparing
    /// This machine has no route to the peer, for this reason; retried.
    case waiting(Failure)
    /// The connection is established, and the peer sent what is expected.
    case ready
    /// The connection failed, or could not be established, for this reason; retried.
    case failed(Cause)
    /// The connection is no longer needed.
    case cancelled

    /// Why a session failed.
    public enum Cause: Sendable, Hashable, Codable {
        /// The peer did not reply in time.
        case timeout
        /// The peer, or a router in between, rejected the connection, or its reply was wrong.
        case failure(Failure)
        /// This machine could not connect.
        case fault(Fault)

        /// The cause for a session that ended with an outcome; nil for a reply, which ends none.
        public init?(_ outcome: Outcome) {
            switch outcome {
            case .reply: return nil
            case .timeout: self = .timeout
            case .failure(let failure): self = .failure(failure)
            case .fault(let fault): self = .fault(fault)
            }
        }

        /// The outcome of a probe of the failed session.
        public var outcome: Outcome {
            switch self {
            case .timeout: .timeout
            case .failure(let failure): .failure(failure)
            case .fault(let fault): .fault(fault)
            }
        }
    }
}
