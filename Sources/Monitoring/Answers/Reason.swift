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
    /// The TLS handshake failed.
    case tlsFailed = "tls_failed"
    /// The certificate has expired, or is not valid yet.
    case certificateExpired = "certificate_expired"
    /// No trusted authority stands behind the certificate.
    case certificateUntrusted = "certificate_untrusted"
    /// The certificate bears another name.
    case certificateName = "certificate_name"
    /// The HTTP status is not the expected one.
    case httpStatus = "http_status"
    /// The HTTP body is not the expected one.
    case httpBody = "http_body"
    /// The answer is not the expected one.
    case answerMismatch = "answer_mismatch"
    /// The answer breaks the rules of its protocol.
    case protocolError = "protocol_error"
    /// No packet could leave for the host.
    case noRoute = "no_route"
    /// The interface is down, or not there.
    case linkDown = "link_down"
    /// The command said no by its exit status.
    case exitStatus = "exit_status"

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
        case .tlsFailed: "TLS failed"
        case .certificateExpired: "certificate expired"
        case .certificateUntrusted: "certificate not trusted"
        case .certificateName: "certificate for another name"
        case .httpStatus: "unexpected HTTP status"
        case .httpBody: "unexpected body"
        case .answerMismatch: "unexpected answer"
        case .protocolError: "malformed answer"
        case .noRoute: "no route"
        case .linkDown: "link down"
        case .exitStatus: "the command failed"
        }
    }
}

extension Reason {
    /// Whether the trouble may pass by itself, so that asking again makes sense: the way there, the look-up of the name, a
    /// connection that was refused or lost. A verdict on a certificate or an answer stays what it is.
    public var mayPass: Bool {
        switch self {
        case .refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .ttlExceeded, .nameNotFound,
            .resolverFailed, .noRoute, .linkDown:
            true
        case .prohibited, .tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .httpStatus,
            .httpBody, .answerMismatch, .protocolError, .exitStatus:
            false
        }
    }

    /// The HTTP statuses that may pass by themselves: request timeout, too many requests, no response (nginx), service
    /// unavailable, gateway timeout, and a proxy's own timeout (RFC 9110 §15, RFC 6585 §4; 444 and 599 are not registered).
    public static let passingStatuses: Set<Int> = [408, 429, 444, 503, 504, 599]
}
