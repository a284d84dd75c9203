/// Why a probe failed. The raw values are a contract: JSON, hooks and metrics use them.
public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The host refused the connection: the port is closed.
    case refused
    /// The peer reset the connection.
    case reset
    /// The peer closed the connection before it replied.
    case closed
    /// The last router cannot reach the host.
    case hostUnreachable = "host_unreachable"
    /// No router has a route to the network.
    case networkUnreachable = "network_unreachable"
    /// A packet filter rejected the probe.
    case prohibited
    /// The packet exceeded its limit of routers: IPv4 time to live or IPv6 hop limit.
    case ttlExceeded = "ttl_exceeded"
    /// The name does not exist.
    case nameNotFound = "name_not_found"
    /// The resolver did not reply, so it is unknown whether the name exists.
    case resolverFailed = "resolver_failed"
    /// The TLS handshake failed.
    case tlsFailed = "tls_failed"
    /// The certificate has expired, or is not valid yet.
    case certificateExpired = "certificate_expired"
    /// The certificate is not signed by a trusted authority.
    case certificateUntrusted = "certificate_untrusted"
    /// The certificate is for another name.
    case certificateName = "certificate_name"
    /// The HTTP status is not the expected one.
    case httpStatus = "http_status"
    /// The HTTP body is not the expected one.
    case httpBody = "http_body"
    /// The reply does not match the expected one.
    case answerMismatch = "answer_mismatch"
    /// The reply violates its protocol.
    case protocolError = "protocol_error"
    /// The server replied with an error of its protocol: it starts, is overloaded, or refuses this host.
    case serverError = "server_error"
    /// The server refused the user or the password.
    case loginFailed = "login_failed"
    /// This machine has no route to the host.
    case noRoute = "no_route"
    /// The interface is down, or does not exist.
    case linkDown = "link_down"
    /// The command exited with a nonzero status.
    case exitStatus = "exit_status"
    /// As many vantage points as the quorum needs see the target down.
    case quorum

    /// The raw value in plain words, for a failure without a more specific detail.
    public var words: String {
        switch self {
        case .refused: "refused"
        case .reset: "reset"
        case .closed: "closed"
        case .hostUnreachable: "host unreachable"
        case .networkUnreachable: "network unreachable"
        case .prohibited: "prohibited"
        case .ttlExceeded: "TTL exceeded"
        case .nameNotFound: "name not found"
        case .resolverFailed: "resolver failed"
        case .tlsFailed: "TLS failed"
        case .certificateExpired: "certificate expired"
        case .certificateUntrusted: "certificate untrusted"
        case .certificateName: "certificate name mismatch"
        case .httpStatus: "unexpected HTTP status"
        case .httpBody: "unexpected HTTP body"
        case .answerMismatch: "unexpected answer"
        case .protocolError: "protocol error"
        case .serverError: "server error"
        case .loginFailed: "login failed"
        case .noRoute: "no route"
        case .linkDown: "link down"
        case .exitStatus: "nonzero exit status"
        case .quorum: "down from a quorum of vantage points"
        }
    }
}

extension Reason {
    /// Whether a retry makes sense, since the failure may be temporary: routes, name lookups, and refused or lost
    /// connections. A failed certificate check or a wrong reply does not change by itself.
    public var isTransient: Bool {
        switch self {
        case .refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .ttlExceeded, .nameNotFound,
            .resolverFailed, .serverError, .noRoute, .linkDown:
            true
        case .prohibited, .tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .httpStatus,
            .httpBody, .answerMismatch, .protocolError, .loginFailed, .exitStatus, .quorum:
            false
        }
    }

    /// The HTTP statuses that may be temporary, as for `curl --retry`: request timeout, too many requests, errors of the
    /// server, of a gateway and of Cloudflare's connection to the server (RFC 9110 §15, RFC 6585 §4), and also no response
    /// (444, nginx) and a proxy's own timeout (599).
    public static let transientStatuses: Set<Int> = [408, 429, 444, 500, 502, 503, 504, 522, 524, 599]
}
