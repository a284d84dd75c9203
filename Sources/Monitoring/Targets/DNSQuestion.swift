/// What is asked of a DNS server.
public struct DNSQuestion: Sendable, Hashable {
    /// Who is asked.
    public enum Server: Sendable, Hashable {
        /// The machine's own resolvers, in their order.
        case system
        /// This host, by UDP, and by TCP when the answer does not fit.
        case host(String, port: UInt16)
    }

    /// A type of record (RFC 1035 §3.2.2, RFC 3596, RFC 2782). The raw value is its number.
    public enum RecordType: UInt16, Sendable, Hashable, CaseIterable {
        /// An IPv4 address.
        case a = 1
        /// A name server of the zone.
        case ns = 2
        /// The name that this one is another name for.
        case cname = 5
        /// The zone's beginning: its serial number and its periods.
        case soa = 6
        /// A name for an address.
        case ptr = 12
        /// Who takes mail.
        case mx = 15
        /// Text.
        case txt = 16
        /// An IPv6 address.
        case aaaa = 28
        /// The host and the port of a service.
        case srv = 33

        /// The name as zone files write it: `AAAA`.
        public var name: String { "\(self)".uppercased() }
    }

    /// How a server judges a query (RFC 1035 §4.1.1). The raw value is its number.
    public enum ResponseCode: UInt8, Sendable, Hashable, CaseIterable {
        /// There is no error.
        case noerror = 0
        /// The server could not read the query.
        case formerr = 1
        /// The server has trouble of its own.
        case servfail = 2
        /// There is no such name.
        case nxdomain = 3
        /// The server does not know this sort of query.
        case notimp = 4
        /// The server does not want to answer.
        case refused = 5

        /// The name as tools write it: `NXDOMAIN`.
        public var name: String { "\(self)".uppercased() }
    }

    /// Who is asked.
    public var server: Server
    /// The name that is asked for.
    public var name: String
    /// The type of record that is asked for.
    public var type: RecordType
    /// What one of the records must say, as zone files write it; any will do when absent.
    public var answer: String?
    /// The response code that is expected.
    public var responseCode: ResponseCode

    /// A query that expects an answer.
    public init(
        server: Server,
        name: String,
        type: RecordType = .a,
        answer: String? = nil,
        responseCode: ResponseCode = .noerror
    ) {
        self.server = server
        self.name = name
        self.type = type
        self.answer = answer
        self.responseCode = responseCode
    }
}
