/// A request to a database server by its own protocol, and the credentials for it.
public struct DatabaseQuestion: Sendable, Hashable {
    /// The protocol of a database server. The raw value is the scheme of its URLs.
    public enum WireProtocol: String, Sendable, Hashable, CaseIterable {
        /// RESP, of Redis and its relatives.
        case redis
        /// The frontend/backend protocol of PostgreSQL, version 3.
        case postgres
        /// The client/server protocol of MySQL and MariaDB.
        case mysql

        /// The port of URLs without one.
        public var defaultPort: UInt16 {
            switch self {
            case .redis: 6_379
            case .postgres: 5_432
            case .mysql: 3_306
            }
        }
    }

    /// The protocol.
    public var wireProtocol: WireProtocol
    /// Whether the connection is encrypted by TLS. MySQL is only probed in clear.
    public var isSecure: Bool
    /// The host: a name or an address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The user; nil for the default user of Redis, and for PostgreSQL without a login.
    public var user: String?
    /// The password; nil if the probe ends where the server demands one. Output never contains it.
    public var password: String?
    /// The database: a number for Redis, a name for PostgreSQL; nil for the server's default.
    public var database: String?
    /// The options for the certificate; ignored without TLS.
    public var tls: TLSOptions

    /// Creates a request; the port defaults to that of the protocol.
    public init(
        _ wireProtocol: WireProtocol,
        isSecure: Bool = false,
        host: String,
        port: UInt16? = nil,
        user: String? = nil,
        password: String? = nil,
        database: String? = nil,
        tls: TLSOptions = TLSOptions()
    ) {
        self.wireProtocol = wireProtocol
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? wireProtocol.defaultPort
        self.user = user
        self.password = password
        self.database = database
        self.tls = tls
    }

    /// The method of the probes.
    var method: Method {
        switch wireProtocol {
        case .redis: isSecure ? .rediss : .redis
        case .postgres: .postgres
        case .mysql: .mysql
        }
    }
}
