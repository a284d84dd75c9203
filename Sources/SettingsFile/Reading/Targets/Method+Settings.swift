import Monitoring

extension Method {
    /// Returns the method of a URL by its scheme, even if the rest is invalid; nil if the scheme is unknown.
    init?(ofURL text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        self.init(scheme: text[..<colon].lowercased())
    }

    /// The names of the tables with the options of this method.
    var optionTables: [String] {
        switch self {
        case .icmp, .tcp, .session, .tls, .dns, .udp, .redis, .exec: [rawValue]
        // A request without TLS may be redirected to https.
        case .http, .https: [Method.http.rawValue, Method.tls.rawValue]
        case .rediss: [Method.redis.rawValue, Method.tls.rawValue]
        case .postgres: [rawValue, Method.tls.rawValue]
        case .mysql, .link, .route, .fleet: []
        }
    }

    /// The names of all option tables, in alphabetical order.
    static let allOptionTables = Set(allCases.flatMap(\.optionTables)).sorted()

    /// Whether probes of this method accept a source address or interface.
    var takesSource: Bool {
        switch self {
        case .icmp, .tcp, .session, .tls, .http, .https, .dns, .udp, .redis, .rediss, .postgres, .mysql, .route: true
        case .link, .exec, .fleet: false
        }
    }
}
