/// A DNS query and its expected answer.
public struct DNSQuestion: Sendable, Hashable {
    /// The DNS server of a query.
    public enum Server: Sendable, Hashable {
        /// The system's resolvers, in their order.
        case system
        /// This host.
        case host(String, port: UInt16)
    }

    /// A type of record (RFC 1035 §3.2.2, RFC 3596, RFC 2782). The raw value is its number.
    public enum RecordType: UInt16, Sendable, Hashable, CaseIterable {
        /// An IPv4 address.
        case a = 1
        /// A name server of the zone.
        case ns = 2
        /// The canonical name of an alias.
        case cname = 5
        /// The start of authority of a zone: its serial number and its timers.
        case soa = 6
        /// The name of an address.
        case ptr = 12
        /// The mail servers of a domain.
        case mx = 15
        /// Text.
        case txt = 16
        /// An IPv6 address.
        case aaaa = 28
        /// The host and the port of a service.
        case srv = 33

        /// The name in the syntax of zone files: `AAAA`.
        public var name: String { "\(self)".uppercased() }
    }

    /// The response code of a server (RFC 1035 §4.1.1). The raw value is its number.
    public enum ResponseCode: UInt8, Sendable, Hashable, CaseIterable {
        /// No error.
        case noerror = 0
        /// The server could not parse the query.
        case formerr = 1
        /// The server has an internal problem.
        case servfail = 2
        /// The name does not exist.
        case nxdomain = 3
        /// The server does not support this kind of query.
        case notimp = 4
        /// The server refuses to answer.
        case refused = 5

        /// The name as shown by DNS tools: `NXDOMAIN`.
        public var name: String { "\(self)".uppercased() }
    }

    /// How queries are sent. The raw values are those of the settings.
    public enum Transport: String, Sendable, Hashable, CaseIterable {
        /// By UDP, and again by TCP if the answer is truncated (RFC 7766 §5).
        case udp
        /// By TCP, each on a connection of its own.
        case tcp
    }

    /// The server.
    public var server: Server
    /// How the query is sent.
    public var transport: Transport
    /// The name to query.
    public var name: String
    /// The record type to query.
    public var type: RecordType
    /// The record that the answer must contain, in the syntax of zone files; nil for any.
    public var answer: String?
    /// The response code that is expected.
    public var responseCode: ResponseCode

    /// Creates a query.
    public init(
        server: Server,
        name: String,
        type: RecordType = .a,
        answer: String? = nil,
        responseCode: ResponseCode = .noerror,
        transport: Transport = .udp
    ) {
        self.server = server
        self.transport = transport
        self.name = name
        self.type = type
        self.answer = answer
        self.responseCode = responseCode
    }
}
