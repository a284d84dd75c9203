extension Question {
    /// How the path to the host is traced, and to which port: as the probes go. Nil if no packet goes to a host on the
    /// network, or the host is the system's own choice.
    package var pathMethod: (method: PathMethod, port: UInt16)? {
        switch self {
        case .icmp: (.icmp, 0)
        case .udp(_, let port, _): (.udp, port)
        case .dns(let question):
            port.map { (question.transport == .udp ? .udp : .tcp, $0) }
        case .tcp, .session, .tls, .http, .database: port.map { (.tcp, $0) }
        case .link, .route, .exec, .fleet: nil
        }
    }
}

extension PathMethod {
    /// The port of probes to a host without one: that of traceroute(8) for datagrams, and of the web for connections.
    package var defaultPort: UInt16 {
        switch self {
        case .icmp: 0
        case .udp: 33_434
        case .tcp: 80
        }
    }
}
