import ReachBasics

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

extension Question {
    /// Parses a URL, or a short form of the command line: `HOST` is `icmp://HOST`; `HOST:PORT` and `[V6]:PORT` are
    /// `tcp://`. A bare IPv6 address is a host.
    ///
    /// Messages never quote users, passwords and queries.
    ///
    /// - Parameter text: the URL. The command of `exec:` is a separate setting, and `exec:` stands here without it.
    /// - Throws: ``URLProblem`` with the problem and, if possible, a fix.
    public init(_ text: String) throws(URLProblem) {
        guard !text.isEmpty else { throw URLProblem("the URL is empty", hint: "such as icmp://192.0.2.1") }
        guard !text.unicodeScalars.contains(where: { $0 == " " || $0.isControl }) else {
            throw URLProblem("the URL has a blank or a control character in it")
        }
        if let separator = Self.separator(in: text) {
            let scheme = text[..<separator.lowerBound].lowercased()
            guard let method = Method(scheme: scheme) else { throw URLProblem.unknown(scheme: scheme) }
            let rest = text[separator.upperBound...]
            guard method.mayHaveAt || !rest.utf8.contains(UInt8(ascii: "@")) else {
                throw URLProblem("\(method) takes no user and no password", hint: "leave out the part before the @")
            }
            try self.init(method, rest: rest)
        } else if text.lowercased().hasPrefix("link:") {
            try self.init(interface: text.dropFirst("link:".count))
        } else if text.lowercased() == "exec:" {
            self = .exec(.shell(""))
        } else if text.lowercased().hasPrefix("exec:") {
            throw URLProblem("exec: takes no command in the URL", hint: "exec: with exec = { run = [\"program\"] }")
        } else if text.utf8.contains(UInt8(ascii: "@")) {
            throw URLProblem.credentials
        } else if text.unicodeScalars.contains("/") {
            throw Self.problem(withPath: text)
        } else {
            if let problem = Self.missingSlashes(in: text) { throw problem }
            let authority = try URLAuthority(text[...])
            self =
                if let port = authority.port {
                    .tcp(host: authority.host, port: port)
                } else {
                    .icmp(host: authority.host)
                }
        }
        // A route to a group can be checked; a reply from one comes from another address.
        if method != .route, let host { try URLAuthority.checkIsOneHost(host) }
    }

    /// Returns the problem with a path that has no method, or with a network such as `192.0.2.0/24`.
    private static func problem(withPath text: String) -> URLProblem {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let bits = UInt8(parts[1]), bits <= 128, let host = try? URLAuthority(parts[0]),
            host.port == nil, host.host.contains(":") || host.host.allSatisfy({ $0.isNumber || $0 == "." })
        {
            return .network(text)
        }
        return URLProblem("a path without a method", hint: webURL(text))
    }

    /// The URL that an address of a web server without its scheme probably means, without its secrets.
    package static func webURL(_ text: String) -> String {
        let text = text.withoutSecretsOfInvalidURL
        let port = (try? URLAuthority(text[...].prefix { $0 != "/" }))?.port ?? 443
        return "\([443, 8_443].contains(port) ? "https" : "http")://\(text)"
    }

    /// Returns the problem with a method without slashes, as in `http:example.com`; nil for another text. A number after the
    /// colon is the port of a host of that name.
    private static func missingSlashes(in text: String) -> URLProblem? {
        guard let colon = text.firstIndex(of: ":"), let method = Method(scheme: text[..<colon].lowercased()) else {
            return nil
        }
        guard method.probes else { return .fleet }
        let rest = text[text.index(after: colon)...]
        guard rest.first?.isLetter ?? false else { return nil }
        let url = "\(method.rawValue)://\(String(rest).withoutQuery)"
        return URLProblem("\"\(method.rawValue):\" without \"//\"", hint: url)
    }

    /// The position of the first `://`. It searches bytes, since tens of thousands of URLs are parsed before the first
    /// probe.
    private static func separator(in text: String) -> Range<String.Index>? {
        var rest = text.utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[rest.index(after: colon)...]
            if rest.starts(with: "//".utf8) { return colon..<rest.index(rest.startIndex, offsetBy: 2) }
        }
        return nil
    }

    private init(_ method: Method, rest: Substring) throws(URLProblem) {
        switch method {
        case .icmp, .route:
            let authority = try URLAuthority(bare: rest, of: method)
            guard authority.port == nil else {
                throw URLProblem("\(method) has no port", hint: "\(method)://\(authority.host), or tcp://\(rest)")
            }
            self = method == .icmp ? .icmp(host: authority.host) : .route(host: authority.host)
        case .tcp, .session, .udp:
            let authority = try URLAuthority(bare: rest, of: method)
            guard let port = authority.port else {
                let port = method == .udp ? 53 : 443
                throw URLProblem("\(method) needs a port", hint: "\(method)://\(authority.host.bracketed):\(port)")
            }
            self =
                switch method {
                case .tcp: .tcp(host: authority.host, port: port)
                case .session: .session(host: authority.host, port: port)
                default: .udp(host: authority.host, port: port)
                }
        case .tls:
            let authority = try URLAuthority(bare: rest, of: method)
            self = .tls(host: authority.host, port: authority.port ?? 443)
        case .http, .https:
            try self.init(isSecure: method == .https, rest: rest)
        case .dns:
            try self.init(query: rest)
        case .redis, .rediss, .postgres, .mysql:
            self = .database(try DatabaseQuestion(method, rest: rest))
        case .link:
            throw URLProblem("link takes no slashes", hint: "link:\(rest.isEmpty ? "any" : rest)")
        case .exec:
            throw URLProblem("exec takes no slashes", hint: "exec: with exec = { run = [\"program\"] }")
        case .fleet:
            throw URLProblem.fleet
        }
    }

    private init(interface: Substring) throws(URLProblem) {
        guard !interface.isEmpty, interface.count <= 15, !interface.contains("/") else {
            throw URLProblem("invalid interface \"\(interface)\"", hint: "link:any, or such as link:eth0")
        }
        self = .link(interface: interface == "any" ? nil : String(interface))
    }

    private init(isSecure: Bool, rest: Substring) throws(URLProblem) {
        guard !rest.utf8.contains(UInt8(ascii: "#")) else {
            throw URLProblem("a fragment (\"#\") is never sent", hint: "leave it out")
        }
        let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard !rest[..<end].utf8.contains(UInt8(ascii: "@")) else { throw URLProblem.httpCredentials }
        let path = rest[end...]
        let authority: URLAuthority
        do throws(URLProblem) {
            authority = try URLAuthority(rest[..<end])
        } catch {
            // The part before the @ may be a password with a slash.
            guard path.utf8.contains(UInt8(ascii: "@")) else { throw error }
            throw URLProblem("invalid host, or a password", hint: "such as http://HOST:PORT")
        }
        guard path.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw URLProblem("a path has ASCII characters only", hint: "write the others as %C3%BC")
        }
        self = .http(
            HTTPQuestion(
                isSecure: isSecure,
                host: authority.host,
                port: authority.port,
                path: path.utf8.first == UInt8(ascii: "/") ? String(path) : "/\(path)"
            )
        )
    }

    private init(query rest: Substring) throws(URLProblem) {
        let example = "dns://192.0.2.53/example.com?type=A"
        guard let slash = rest.firstIndex(of: "/") else {
            throw URLProblem("dns needs a name to query", hint: example)
        }
        let parts = rest[rest.index(after: slash)...].split(separator: "?", omittingEmptySubsequences: false)
        guard let typed = parts.first, !typed.isEmpty, parts.count <= 2 else {
            throw URLProblem("dns needs a name to query", hint: example)
        }
        let name = try typed.convertedDomainName
        try DNSQuestion.checkName(name)
        var type = DNSQuestion.RecordType.a
        if parts.count == 2 {
            guard parts[1].lowercased().hasPrefix("type="), !parts[1].contains("&") else {
                throw URLProblem("invalid query", hint: "?type=AAAA")
            }
            let typeName = parts[1].dropFirst("type=".count).uppercased()
            let types = DNSQuestion.RecordType.allCases
            guard let known = types.first(where: { $0.name == typeName }) else {
                throw URLProblem("unknown record type \"\(typeName)\"", hint: types.map(\.name).joined(separator: ", "))
            }
            type = known
        }
        let server = rest[..<slash]
        if server == "system" {
            self = .dns(DNSQuestion(server: .system, name: name, type: type))
        } else {
            let authority = try URLAuthority(server)
            self = .dns(
                DNSQuestion(server: .host(authority.host, port: authority.port ?? 53), name: name, type: type)
            )
        }
    }
}

extension Method {
    /// Whether URLs of the method may contain an `@`, in a path or after a user.
    fileprivate var mayHaveAt: Bool { isDatabase || self == .http || self == .https }
}

extension Question {
    /// The part after the scheme, for display: `192.0.2.1`, `nas.local:445`, `[::1]:22`, `shop.example.com/health`,
    /// `9.9.9.9/example.com`, `eth0`, a command.
    public var authority: String {
        switch self {
        case .icmp(let host, _), .route(let host):
            host
        case .tcp(let host, let port, _), .session(let host, let port, _), .tls(let host, let port, _),
            .udp(let host, let port, _):
            "\(host.bracketed):\(port)"
        case .http(let question):
            Self.authority(of: question) + (question.path == "/" ? "" : question.path)
        case .dns(let question):
            "\(Self.authority(of: question.server))/\(question.name)\(question.type == .a ? "" : " \(question.type.name)")"
        case .database(let question):
            Self.authority(of: question)
        case .link(let interface):
            interface ?? "any"
        case .exec(let command):
            command.description
        case .fleet(let question):
            question.instance
        }
    }

    /// The default name of a target; nil for a command, which needs a name.
    public var title: String? {
        switch self {
        case .link: url
        case .exec: nil
        default: authority
        }
    }

    /// The default name of a target without the query of HTTP, which may have secrets.
    package var publicTitle: String? {
        if case .http = self { title?.withoutQuery } else { title }
    }

    /// The whole URL: `tcp://nas.local:445`. It never contains the user and the password of a database.
    public var url: String {
        switch self {
        case .icmp(let host, _), .route(let host):
            "\(method.rawValue)://\(host.bracketed)"
        case .http(let question):
            "\(method.rawValue)://\(Self.authority(of: question))\(question.path)"
        case .dns(let question):
            "dns://\(Self.authority(of: question.server))/\(question.name)?type=\(question.type.name)"
        case .database(let question):
            "\(method.rawValue)://\(authority)"
                + (question.wireProtocol == .postgres && question.isSecure ? "?sslmode=require" : "")
        case .link(let interface):
            "link:\(interface ?? "any")"
        case .exec:
            "exec:"
        case .fleet(let question):
            "fleet:\(question.instance)"
        case .tcp, .session, .tls, .udp:
            "\(method.rawValue)://\(authority)"
        }
    }

    private static func authority(of question: HTTPQuestion) -> String {
        let isDefault = question.port == HTTPQuestion.defaultPort(isSecure: question.isSecure)
        return question.host.bracketed + (isDefault ? "" : ":\(question.port)")
    }

    private static func authority(of question: DatabaseQuestion) -> String {
        let isDefault = question.port == question.wireProtocol.defaultPort
        return question.host.bracketed + (isDefault ? "" : ":\(question.port)")
            + (question.database.map { "/\($0.percentEncoded)" } ?? "")
    }

    private static func authority(of server: DNSQuestion.Server) -> String {
        switch server {
        case .system: "system"
        case .host(let host, let port): host.bracketed + (port == 53 ? "" : ":\(port)")
        }
    }
}
