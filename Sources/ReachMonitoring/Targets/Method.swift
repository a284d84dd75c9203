/// How a target is probed: the scheme of its URL.
///
/// To add a method, add a case here, a case of ``Question`` and a prober; the compiler reports the other places.
public enum Method: String, Sendable, Hashable, CaseIterable {
    /// An ICMP echo request gets an echo reply (RFC 792, RFC 4443).
    case icmp
    /// A TCP connection is accepted, and closed at once.
    case tcp
    /// A TCP connection is accepted, and held open.
    case session
    /// A TLS handshake succeeds, and the certificate is valid.
    case tls
    /// An HTTP request gets the expected reply.
    case http
    /// An HTTP request over TLS gets the expected reply.
    case https
    /// A DNS query gets the expected reply (RFC 1035).
    case dns
    /// A UDP datagram gets the expected reply.
    case udp
    /// A Redis server answers `PING`.
    case redis
    /// A Redis server answers `PING` over TLS.
    case rediss
    /// A PostgreSQL server accepts a client.
    case postgres
    /// A MySQL or MariaDB server accepts a client.
    case mysql
    /// A network interface of this machine is up.
    case link
    /// This machine has a route to a host.
    case route
    /// A command exits with status 0.
    case exec
    /// Other programs probe the target, from one or several vantage points; it is only read. See ``VantagePoints``.
    case fleet

    /// The methods of targets in the settings and on the command line: all that probe.
    public static let settable = allCases.filter { $0 != .fleet }

    /// The method of a URL's scheme; nil for an unknown one. `postgresql` and `mariadb` are aliases.
    package init?(scheme: String) {
        switch scheme {
        case "postgresql": self = .postgres
        case "mariadb": self = .mysql
        default: self.init(rawValue: scheme)
        }
    }

    /// The default of `interval`.
    public var defaultInterval: Duration {
        switch self {
        case .icmp: .seconds(1)
        case .tcp, .udp: .seconds(2)
        case .dns, .tls, .http, .https, .redis, .rediss, .postgres, .mysql, .exec: .seconds(10)
        case .session, .link, .route: .seconds(5)
        case .fleet: .seconds(60)
        }
    }

    /// The default of `timeout`.
    public func defaultTimeout(interval: Duration) -> Duration {
        switch self {
        case .icmp: min(.seconds(1), interval * longestTimeoutInIntervals)
        default: min(interval, .seconds(5))
        }
    }

    /// The default of `retry_interval`.
    func defaultRetryInterval(interval: Duration) -> Duration {
        self == .fleet ? interval : min(interval, .seconds(1))
    }

    /// The default of `down_interval`: a command keeps its interval, since it may be costly to run.
    package func defaultDownInterval(interval: Duration) -> Duration {
        self == .exec || self == .fleet ? interval : min(interval, .seconds(1))
    }

    /// The default of `fall`. Methods that report changes as events need no second loss, nor do vantage points, which
    /// confirm each other.
    public var defaultFall: Int {
        switch self {
        case .session, .link, .route, .fleet: 1
        default: 3
        }
    }

    /// The default thresholds.
    var defaultThresholds: Thresholds {
        Thresholds(fall: defaultFall, slowStreak: self == .fleet ? 1 : 3)
    }

    /// The most intervals that a timeout may span. An echo request may leave while the last one is unanswered, so that
    /// a satellite link at 1.2 s is not down. Every other method has one probe in flight.
    public var longestTimeoutInIntervals: Int {
        self == .icmp ? 10 : 1
    }

    /// Whether the next probe may leave while the last one is unanswered.
    public var overlaps: Bool {
        self == .icmp
    }

    /// Whether a probe may leave while earlier ones are unanswered if the target is down. Otherwise a peer that does
    /// not reply would hide its recovery for a whole timeout.
    package var overlapsWhileDown: Bool {
        switch self {
        case .icmp, .tcp, .tls, .http, .https, .dns, .udp, .redis, .rediss, .postgres, .mysql: true
        case .session, .link, .route, .exec, .fleet: false
        }
    }

    /// Whether the probe is a request to a database server, whose URL can contain a user and a password.
    package var isDatabase: Bool {
        switch self {
        case .redis, .rediss, .postgres, .mysql: true
        case .icmp, .tcp, .session, .tls, .http, .https, .dns, .udp, .link, .route, .exec, .fleet: false
        }
    }

    /// Whether the probe only reads the state of this machine, which is notified of its changes.
    public var isLocal: Bool {
        self == .link || self == .route
    }

    /// Whether this program probes the target.
    public var probes: Bool {
        self != .fleet
    }
}
