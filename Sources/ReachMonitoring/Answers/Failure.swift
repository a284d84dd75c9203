/// Why a probe failed: a reason, and a short detail for display.
public struct Failure: Sendable, Hashable {
    /// The reason's stable name.
    public let reason: Reason
    /// Seconds since 1970, zero for none. It fits beside the reason.
    private var expirySeconds: UInt32 = 0
    /// The text for display: `refused`, `HTTP 503`.
    public let detail: String
    /// The HTTP status; zero for failures without one.
    private let status: UInt16
    /// What the server of an unexpected HTTP response sent: its head, and the beginning of a text, without what may be secret;
    /// nil for other failures.
    public package(set) var response: String?
    /// Whether the name lookup is still in progress, so nothing is known about the host.
    public internal(set) var isAwaitingResolver = false

    /// Creates a failure. The detail defaults to the words of the reason.
    public init(_ reason: Reason, detail: String? = nil, httpStatus: Int? = nil) {
        self.reason = reason
        self.detail = detail ?? reason.words
        status = httpStatus.flatMap(UInt16.init(exactly:)) ?? 0
    }

    /// Creates the failure that an ICMP error message reports, with the address that sent it: `host unreachable (reported by
    /// 192.0.2.1)`.
    package init(_ reason: Reason, reporter: String?) {
        let words = reason == .refused ? "port unreachable" : reason.words
        self.init(reason, detail: reporter.map { "\(words)\(Self.reporterMark)\($0))" } ?? words)
    }

    private static let reporterMark = " (reported by "

    /// The address that reported the failure; nil if none did.
    var reporter: String? {
        guard detail.hasSuffix(")"), let mark = detail.firstRange(of: Self.reporterMark) else { return nil }
        return String(detail[mark.upperBound...].dropLast())
    }

    /// The failure with secrets replaced in its text.
    package func redacted(by redaction: Redaction) -> Failure {
        var failure = Failure(reason, detail: redaction.text(detail), httpStatus: httpStatus)
        failure.isAwaitingResolver = isAwaitingResolver
        failure.certificateExpiry = certificateExpiry
        failure.response = response.map(redaction.text)
        return failure
    }

    /// Whether two failures are the same. Their responses may differ: each has its date.
    public static func == (one: Failure, other: Failure) -> Bool {
        (one.reason, one.expirySeconds, one.status, one.isAwaitingResolver)
            == (other.reason, other.expirySeconds, other.status, other.isAwaitingResolver) && one.detail == other.detail
    }

    /// Hashes what two failures that are the same have in common.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(detail)
    }

    /// When the peer's certificate expires or expired, in seconds since 1970; nil unless that is the reason. At most the
    /// year 2106.
    package var certificateExpiry: Int64? {
        get { expirySeconds == 0 ? nil : Int64(expirySeconds) }
        set { expirySeconds = newValue.map { UInt32(clamping: $0) } ?? 0 }
    }

    /// The status code of an HTTP reply that is not the expected one; nil for other failures.
    public var httpStatus: Int? { status == 0 ? nil : Int(status) }
}

extension Failure: CustomStringConvertible {
    /// The detail.
    public var description: String { detail }
}

extension Failure {
    /// A failure for a probe whose timeout passed during the name lookup.
    public static func awaitingResolver(of host: String) -> Failure {
        var failure = Failure(.resolverFailed, detail: "resolver timeout for \(host)")
        failure.isAwaitingResolver = true
        return failure
    }
}

/// Why this machine cannot probe. A fault is never charged to the target.
public struct Fault: Sendable, Hashable, Codable {
    /// The kind of fault. The raw values are a contract: JSON and metrics use them.
    public enum Problem: String, Sendable, Hashable, Codable, CaseIterable {
        /// The system denies this user the right to probe.
        case permission
        /// This process, or the machine, is out of file descriptors.
        case tooManyFiles = "too_many_files"
        /// The kernel is out of buffers or memory.
        case noMemory = "no_memory"
        /// The `source` of the settings does not exist, or has no route to the target.
        case noSource = "no_source"
        /// The file of certificate authorities cannot be read, or has no certificate.
        case noAuthorities = "no_authorities"
        /// The client certificate or its key cannot be read, they do not match, or the certificate has expired.
        case noCertificate = "no_certificate"
        /// A packet filter or a route of this machine refuses the probe.
        case localFilter = "local_filter"
        /// Too few vantage points report on the target.
        case notReporting = "not_reporting"
        /// Any other error of this program or machine.
        case `internal`
    }

    /// The kind of fault.
    public let problem: Problem
    /// The text for display: what failed.
    public let detail: String
    /// Commands that fix the problem, any one of which is enough; empty if none is known.
    public let cures: [String]

    /// Creates a fault with its detail and its fixes.
    public init(_ problem: Problem, detail: String, cures: [String] = []) {
        self.problem = problem
        self.detail = detail
        self.cures = cures
    }

    /// The detail and the fixes as part of a sentence.
    public var summary: String {
        cures.isEmpty ? detail : "\(detail): \(cures.joined(separator: ", or "))"
    }
}

extension Fault: CustomStringConvertible {
    /// The same as ``summary``.
    public var description: String { summary }
}

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
