extension Question {
    /// The part after the scheme, for display: `192.0.2.1`, `nas.local:445`, `[::1]:22`, `shop.example.com/health`,
    /// `9.9.9.9/example.com`, `eth0`, a command.
    public var authority: String {
        switch self {
        case .icmp(let host, _), .route(let host):
            host
        case .tcp(let host, let port, _), .session(let host, let port, _), .tls(let host, let port, _),
            .udp(let host, let port, _):
            "\(Self.bracketed(host)):\(port)"
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
            "\(method.rawValue)://\(Self.bracketed(host))"
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

    private static func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }

    private static func authority(of question: HTTPQuestion) -> String {
        let isDefault = question.port == HTTPQuestion.defaultPort(isSecure: question.isSecure)
        return bracketed(question.host) + (isDefault ? "" : ":\(question.port)")
    }

    private static func authority(of question: DatabaseQuestion) -> String {
        let isDefault = question.port == question.wireProtocol.defaultPort
        return bracketed(question.host) + (isDefault ? "" : ":\(question.port)")
            + (question.database.map { "/\($0.percentEncoded)" } ?? "")
    }

    private static func authority(of server: DNSQuestion.Server) -> String {
        switch server {
        case .system: "system"
        case .host(let host, let port): bracketed(host) + (port == 53 ? "" : ":\(port)")
        }
    }
}
