/// How the probes of a path are sent.
public enum PathMethod: String, Sendable, Hashable, CaseIterable, Codable {
    /// Echo requests.
    case icmp
    /// Datagrams to a port.
    case udp
    /// The first packet of a connection (SYN) to a port. The connection is never completed.
    case tcp
}

/// Where the probes of a path are sent, and how.
public struct PathDestination: Sendable, Hashable {
    /// The numeric address.
    public var address: String
    /// The method.
    public var method: PathMethod
    /// The port; zero for ICMP.
    public var port: UInt16

    /// Creates a destination.
    public init(address: String, method: PathMethod, port: UInt16 = 0) {
        self.address = address
        self.method = method
        self.port = port
    }
}

/// One probe of a path: a packet that expires at a hop, or reaches the destination.
public struct PathProbe: Sendable, Hashable {
    /// The identity, unique in the process.
    public var number: UInt32
    /// The destination.
    public var destination: PathDestination
    /// The number of the hop, which is the packet's time to live: 1 for the first router, at most 255.
    public var hop: Int
    /// The number of the flow. Probes of one flow have the same addresses, ports and checksum or identifier, so that
    /// routers that divide traffic by flow send them the same way (Paris traceroute, IMC 2006).
    public var flow: Int
    /// The size of the whole packet in bytes, sent with "don't fragment"; nil for a small packet.
    public var size: Int?

    /// Creates a probe.
    public init(number: UInt32, destination: PathDestination, hop: Int, flow: Int = 0, size: Int? = nil) {
        self.number = number
        self.destination = destination
        self.hop = hop
        self.flow = flow
        self.size = size
    }
}

/// An answer to a probe of a path.
public struct PathAnswer: Sendable, Hashable {
    /// What an answer says.
    public enum Kind: Sendable, Hashable {
        /// The hop limit was exceeded in transit (RFC 792, RFC 4443): the answer of a router on the way.
        case exceeded
        /// The destination answered: with an echo reply, a datagram, "port unreachable", or the acceptance or refusal of a connection.
        case reached(Arrival)
        /// A router, or the destination, reports that it does not forward or accept the packet.
        case unreachable(Obstacle)
        /// The packet is larger than the next link carries, which has this MTU in bytes; zero where it is not reported (RFC 1191, RFC 8201).
        case tooBig(mtu: Int)
    }

    /// How a destination answered.
    public enum Arrival: String, Sendable, Hashable, Codable {
        /// An echo reply, or a datagram.
        case reply
        /// It accepted the connection.
        case accepted
        /// It refused the connection, or the port is unreachable.
        case refused
    }

    /// Why a packet was not delivered.
    public enum Obstacle: String, Sendable, Hashable, Codable {
        case networkUnreachable = "network_unreachable"
        case hostUnreachable = "host_unreachable"
        /// The destination does not have the protocol of the probe, says another machine.
        case protocolUnreachable = "protocol_unreachable"
        case prohibited
        /// An error without a meaning of its own here, such as an unknown code.
        case other
        /// "Port unreachable" or another refusal by a machine that is not the destination.
        case refused
    }

    /// The number of the probe.
    public var probe: UInt32
    /// The address that sent the answer.
    public var source: String
    /// What it says.
    public var kind: Kind
    /// The time from sending to the answer.
    public var roundTrip: Duration
    /// The MPLS labels with which the packet arrived at the router, outermost first (RFC 4950).
    public var labels: [MPLSLabel]

    /// Creates an answer.
    public init(probe: UInt32, source: String, kind: Kind, roundTrip: Duration, labels: [MPLSLabel] = []) {
        self.probe = probe
        self.source = source
        self.kind = kind
        self.roundTrip = roundTrip
        self.labels = labels
    }
}

/// An entry of an MPLS label stack (RFC 3032 §2.1).
public struct MPLSLabel: Sendable, Hashable, Codable {
    /// The label, 20 bits.
    public var label: Int
    /// The traffic class, 3 bits.
    public var trafficClass: Int
    /// The time to live.
    public var timeToLive: Int

    /// Creates an entry.
    public init(label: Int, trafficClass: Int, timeToLive: Int) {
        self.label = label
        self.trafficClass = trafficClass
        self.timeToLive = timeToLive
    }

    enum CodingKeys: String, CodingKey {
        case label
        case trafficClass = "traffic_class"
        case timeToLive = "time_to_live"
    }
}

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
