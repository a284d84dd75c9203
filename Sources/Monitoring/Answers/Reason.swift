/// Why a target did not answer properly. The raw values are a contract: JSON, hooks and metrics use them.
public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The port is closed: the host itself said so.
    case refused
    /// The peer broke the connection off.
    case reset
    /// The peer ended the connection before it answered.
    case closed
    /// Nobody on the last network knows the host.
    case hostUnreachable = "host_unreachable"
    /// No way leads to the network.
    case networkUnreachable = "network_unreachable"
    /// A filter on the way said no.
    case prohibited
    /// The packet passed more routers than it was allowed.
    case ttlExceeded = "ttl_exceeded"
    /// The name does not exist.
    case nameNotFound = "name_not_found"
    /// The resolver gave no answer, so nobody knows whether the name exists.
    case resolverFailed = "resolver_failed"
    /// The answer is not the expected one.
    case answerMismatch = "answer_mismatch"
    /// The answer breaks the rules of its protocol.
    case protocolError = "protocol_error"

    /// The reason in words, where a probe has no closer detail.
    public var words: String {
        switch self {
        case .refused: "connection refused"
        case .reset: "connection reset"
        case .closed: "connection closed"
        case .hostUnreachable: "host unreachable"
        case .networkUnreachable: "network unreachable"
        case .prohibited: "prohibited by a filter"
        case .ttlExceeded: "too many routers on the way"
        case .nameNotFound: "name not found"
        case .resolverFailed: "the resolver does not answer"
        case .answerMismatch: "unexpected answer"
        case .protocolError: "malformed answer"
        }
    }
}
