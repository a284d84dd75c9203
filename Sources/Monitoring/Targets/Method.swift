/// How a target is asked: the scheme of its URL.
///
/// A new method is one case here, one case of ``Question`` and one prober; the compiler asks for the rest.
public enum Method: String, Sendable, Hashable, CaseIterable {
    /// An ICMP echo request is answered by an echo reply (RFC 792, RFC 4443).
    case icmp
    /// A TCP connection is accepted, and closed again at once.
    case tcp
    /// A TCP connection is accepted, and held.
    case session
    /// A TLS handshake succeeds, and the certificate is good.
    case tls
    /// An HTTP request has the expected answer.
    case http
    /// An HTTP request over TLS has the expected answer.
    case https
    /// A DNS query has the expected answer (RFC 1035).
    case dns
    /// A datagram is answered by the expected one.
    case udp
    /// A network interface of this machine is up.
    case link
    /// A packet could leave for a host.
    case route
    /// A command of the user's says so.
    case exec

    /// The time between probes where the settings say nothing.
    public var defaultInterval: Duration {
        switch self {
        case .icmp: .seconds(1)
        case .tcp, .udp: .seconds(2)
        case .dns, .tls, .http, .https, .exec: .seconds(10)
        case .session, .link, .route: .seconds(5)
        }
    }

    /// How long a probe may take where the settings say nothing.
    public func defaultTimeout(interval: Duration) -> Duration {
        switch self {
        case .icmp: min(.seconds(1), interval * longestTimeoutInIntervals)
        default: min(interval, .seconds(5))
        }
    }

    /// The time between probes of a target that is down, where the settings say nothing. A command may be costly to run.
    package func defaultDownInterval(interval: Duration) -> Duration {
        self == .exec ? interval : min(interval, .seconds(1))
    }

    /// Losses in a row that take a target down where the settings say nothing. What is told of by an event, and not
    /// found out by asking, needs no second loss to be believed.
    public var defaultFall: Int {
        switch self {
        case .session, .link, .route: 1
        default: 3
        }
    }

    /// How many intervals a timeout may span. An echo request may leave while the last one is unanswered, so that a
    /// satellite link at 1.2 s is not down; every other method has one probe in flight.
    public var longestTimeoutInIntervals: Int {
        self == .icmp ? 10 : 1
    }

    /// Whether the next probe may leave while the last one is unanswered.
    public var overlaps: Bool {
        self == .icmp
    }

    /// Whether the next probe may leave while earlier ones are unanswered if the target is down: a silent peer would
    /// otherwise hide its recovery for a whole timeout.
    package var overlapsWhileDown: Bool {
        switch self {
        case .icmp, .tcp, .tls, .http, .https, .dns, .udp: true
        case .session, .link, .route, .exec: false
        }
    }

    /// Whether the machine itself has the answer, and tells when it changes.
    public var isLocal: Bool {
        self == .link || self == .route
    }
}
