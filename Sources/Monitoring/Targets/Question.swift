/// What a probe of a target tests: its URL, with the options of its method.
public enum Question: Sendable, Hashable {
    /// Does `host` reply to an ICMP echo request?
    case icmp(host: String, ICMPOptions = ICMPOptions())
    /// Does `host` accept a connection on `port`, and send what is expected?
    case tcp(host: String, port: UInt16, TCPOptions = TCPOptions())
    /// Does `host` hold a connection on `port`?
    indirect case session(host: String, port: UInt16, SessionOptions = SessionOptions())
    /// Does `host` complete a TLS handshake on `port`, with a valid certificate?
    indirect case tls(host: String, port: UInt16, TLSOptions = TLSOptions())
    /// Does a host reply to this HTTP request as expected?
    indirect case http(HTTPQuestion)
    /// Does a server answer this DNS query as expected?
    indirect case dns(DNSQuestion)
    /// Does `host` reply to a datagram on `port`?
    case udp(host: String, port: UInt16, UDPOptions = UDPOptions())
    /// Does a database server accept clients?
    indirect case database(DatabaseQuestion)
    /// Is this interface up? Without a name: is any uplink up?
    case link(interface: String?)
    /// Does this machine have a route to `host`?
    case route(host: String)
    /// Does this command exit with status 0?
    indirect case exec(HookCommand)
    /// What do the vantage points say that probe it?
    indirect case fleet(FleetQuestion)

    /// The method of the probes.
    public var method: Method {
        switch self {
        case .icmp: .icmp
        case .tcp: .tcp
        case .session: .session
        case .tls: .tls
        case .http(let question): question.isSecure ? .https : .http
        case .dns: .dns
        case .udp: .udp
        case .database(let question): question.method
        case .link: .link
        case .route: .route
        case .exec: .exec
        case .fleet: .fleet
        }
    }

    /// The host that is probed, a name or an address, an IPv6 address without brackets; nil for a probe of this machine
    /// only.
    public var host: String? {
        switch self {
        case .icmp(let host, _), .tcp(let host, _, _), .session(let host, _, _), .tls(let host, _, _),
            .udp(let host, _, _), .route(let host):
            host
        case .http(let question):
            question.host
        case .dns(let question):
            if case .host(let host, _) = question.server { host } else { nil }
        case .database(let question):
            question.host
        case .fleet(let question):
            question.host
        case .link, .exec:
            nil
        }
    }

    /// The port, for methods that have one.
    public var port: UInt16? {
        switch self {
        case .tcp(_, let port, _), .session(_, let port, _), .tls(_, let port, _), .udp(_, let port, _): port
        case .http(let question): question.port
        case .dns(let question): if case .host(_, let port) = question.server { port } else { nil }
        case .database(let question): question.port
        case .fleet(let question): question.port
        case .icmp, .link, .route, .exec: nil
        }
    }
}
