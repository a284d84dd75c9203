import Monitoring

extension Method {
    /// The method that a URL begins with, whatever follows; nil where it names none.
    init?(ofURL text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        self.init(rawValue: text[..<colon].lowercased())
    }

    /// The tables that hold the options of this method.
    var optionTables: [String] {
        switch self {
        case .icmp, .tcp, .session, .tls, .http, .dns, .udp, .exec: [rawValue]
        case .https: [Method.http.rawValue, Method.tls.rawValue]
        case .link, .route: []
        }
    }

    /// Every table of options that there is, in alphabetical order.
    static let allOptionTables = Set(allCases.flatMap(\.optionTables)).sorted()

    /// Whether probes of this method can leave from a source of the user's choice.
    var takesSource: Bool {
        switch self {
        case .icmp, .tcp, .session, .tls, .http, .https, .dns, .udp, .route: true
        case .link, .exec: false
        }
    }
}
