import ReachBasics

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

extension DatabaseQuestion {
    /// Parses the part of a URL after the scheme: `[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?sslmode=MODE]`. Messages never
    /// quote the part before the host, or the query, which may have a password.
    init(_ method: Method, rest: Substring) throws(URLProblem) {
        let wireProtocol: WireProtocol =
            switch method {
            case .mysql: .mysql
            case .postgres: .postgres
            default: .redis
            }
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let at = UInt8(ascii: "@")
        guard !rest[end...].utf8.contains(at) else {
            throw URLProblem("\"@\" after a slash", hint: "in a user or a password, write / as %2F, ? as %3F, # as %23")
        }
        guard !rest.contains("#") else { throw URLProblem("a fragment (\"#\") is never sent", hint: "leave it out") }
        let credentials = rest[..<end].utf8.lastIndex(of: at)
        let start = credentials.map(rest.utf8.index(after:)) ?? rest.startIndex
        let authority = try URLAuthority(rest[start..<end])
        let parts = rest[end...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(wireProtocol, isSecure: method == .rediss, host: authority.host, port: authority.port)
        if let credentials { try setCredentials(rest[..<credentials]) }
        try setDatabase(parts[0].dropFirst())
        if parts.count == 2 { try setQuery(parts[1]) }
    }

    private mutating func setCredentials(_ text: Substring) throws(URLProblem) {
        guard wireProtocol != .mysql else {
            throw URLProblem("mysql takes no user and no password", hint: "the login of the probe has none")
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = try Self.decoded(parts[0], "user")
        user = name.isEmpty ? nil : name
        password = parts.count == 2 ? try Self.decoded(parts[1], "password") : nil
        switch wireProtocol {
        case .redis where password == nil:
            throw URLProblem("a user needs a password", hint: "redis://USER:PASSWORD@HOST, or redis://:PASSWORD@HOST")
        case .postgres where user == nil:
            throw URLProblem("the user is missing", hint: "postgres://USER@HOST or postgres://USER:PASSWORD@HOST")
        default: break
        }
    }

    private mutating func setDatabase(_ path: Substring) throws(URLProblem) {
        guard !path.isEmpty else { return }
        switch wireProtocol {
        case .redis:
            guard let number = UInt32(path), path.allSatisfy(\.isNumber) else {
                throw URLProblem("invalid database \"\(path)\"", hint: "a number, such as redis://\(host)/0")
            }
            database = String(number)
        case .postgres:
            guard !path.contains("/") else {
                throw URLProblem("a path of one part, the database", hint: "postgres://\(host)/NAME; write / as %2F")
            }
            database = try Self.decoded(path, "database")
        case .mysql:
            throw URLProblem("mysql takes no database", hint: "the login of the probe has none")
        }
    }

    /// Reads the parameter `sslmode` of PostgreSQL's URLs. Its other values depend on what the server offers.
    private mutating func setQuery(_ query: Substring) throws(URLProblem) {
        guard wireProtocol == .postgres, query.hasPrefix("sslmode=") else {
            let hint = wireProtocol == .postgres ? "?sslmode=require" : "leave it out"
            throw URLProblem("invalid query", hint: hint)
        }
        switch query.dropFirst("sslmode=".count) {
        case "disable": isSecure = false
        case "require", "verify-full": isSecure = true
        // Another parameter follows, such as a password.
        case let mode where mode.contains("&"): throw URLProblem("invalid query", hint: "?sslmode=require only")
        case let mode: throw URLProblem("unknown sslmode \"\(mode)\"", hint: "disable or require")
        }
    }

    /// Decodes percent-encoded bytes (RFC 3986 §2.1).
    private static func decoded(_ text: Substring, _ part: String) throws(URLProblem) -> String {
        guard let bytes = text.percentDecodedBytes else {
            throw URLProblem("invalid \"%\" in the \(part)", hint: "write % as %25")
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw URLProblem("the \(part) is not text", hint: "UTF-8, percent-encoded, without %00")
        }
        return decoded
    }
}
