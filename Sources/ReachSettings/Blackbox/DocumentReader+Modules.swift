import ReachMonitoring

/// The methods of modules in the settings.
private enum BlackboxMethod: String, CaseIterable {
    case http, tcp, tls, dns, icmp
}

extension DocumentReader {
    /// Reads `[module.NAME]`, from all files.
    mutating func modules() -> [BlackboxModule] {
        let hint = "a module begins with [module.NAME]"
        var found: [String: BlackboxModule] = [:]
        for (name, table) in namedTables("module", example: "[module.http_2xx]", hint: hint) {
            var table = table
            found[name] = table.module(named: name)
            table.reportUnknownKeys()
        }
        return found.values.sorted { $0.name < $1.name }
    }
}

extension TableReader {
    /// Reads a module. The options of its method have the names and values of those of targets.
    fileprivate mutating func module(named name: String) -> BlackboxModule? {
        let method = choice("method", of: BlackboxMethod.self)
        schema?.require("method")
        if !has("method") { reportMissing("method", hint: "such as method = \"http\"") }
        let timeout = duration("timeout", in: .milliseconds(1)...(.seconds(120)))
        let family = choice("family", of: Family.self) ?? .any
        let source = source("source")
        let query = text("query")
        let type = recordType("type")
        var layer = Layer()
        layer.readICMP(from: &self)
        layer.readTCP(from: &self)
        layer.readTLS(from: &self)
        layer.readHTTP(from: &self)
        layer.readDNS(from: &self)
        let draft = TargetDraft([layer])
        reportForeignOptions(of: method)
        guard let method else { return nil }
        let prober: BlackboxModule.Prober
        switch method {
        case .http:
            reportUnsupported(draft.http)
            prober = .http(BlackboxHTTPModule(draft.http, draft.tls))
        case .tcp, .tls:
            if draft.tls.starttls != nil {
                report("a module has no STARTTLS", hint: "a target with tls://, or --blackbox with query_response")
            }
            prober = .tcp(BlackboxTCPModule(draft.tcp, method == .tls ? draft.tls : nil))
        case .dns:
            guard has("query") else {
                reportMissing("query", hint: "such as query = \"example.com\"")
                return nil
            }
            guard let query, let type else { return nil }
            guard !query.isEmpty, query.utf8.count < DNSQuestion.maxNameLength else {
                report("invalid name \(query.quoted)", hint: "such as query = \"example.com\"", about: "query")
                return nil
            }
            prober = .dns(BlackboxDNSModule(query, type, draft))
        case .icmp:
            prober = .icmp(draft.icmp)
        }
        return BlackboxModule(
            name,
            prober,
            timeout: timeout,
            family: family,
            hasFallback: family == .any,
            source: source
        )
    }

    /// Reads the type of a DNS query; `A` if there is none, nil for an unknown one.
    private mutating func recordType(_ key: String) -> UInt16? {
        guard let name = text(key) else { return has(key) ? nil : 1 }
        if let type = BlackboxDNSModule.type(named: name.uppercased()) { return type }
        reportUnknown(key, name, of: BlackboxDNSModule.typeNames)
        return nil
    }

    /// Reports the options of other methods, which would have no effect.
    private func reportForeignOptions(of method: BlackboxMethod?) {
        let own: Set<String>
        switch method {
        case nil: return
        case .http: own = ["http", "tls"]
        case .tcp: own = ["tcp"]
        case .tls: own = ["tcp", "tls"]
        case .dns: own = ["dns", "query", "type"]
        case .icmp: own = ["icmp"]
        }
        for key in ["http", "tls", "tcp", "dns", "icmp", "query", "type"] where has(key) && !own.contains(key) {
            report("not an option of method \(method?.rawValue ?? "")", hint: "remove it", about: key)
        }
    }

    /// Reports the options of HTTP that only targets have.
    private func reportUnsupported(_ http: HTTPOptions) {
        if !http.json.isEmpty { report("a module has no json", hint: "use http.body", about: "http") }
        if http.retries > 0 { report("a module has no retries", hint: "the client probes again", about: "http") }
    }
}

extension BlackboxHTTPModule {
    /// Creates a request with the options of a target.
    fileprivate init(_ http: HTTPOptions, _ tls: TLSOptions) {
        self.init()
        method = http.method
        headers = http.headers
        body = http.bodySent
        status = http.status
        follow = http.follow
        decompression = .declared
        bodyPatterns = http.body.map { [BlackboxPattern($0)] } ?? []
        bodyNot = http.bodyNot.map { [BlackboxPattern($0)] } ?? []
        headerPatterns = http.responseHeaders.map { check in
            switch check.condition {
            case .exists: HeaderMatch(check.name, BlackboxPattern(""))
            case .matches(let pattern): HeaderMatch(check.name, BlackboxPattern(pattern))
            case .equals(let value): HeaderMatch(check.name, BlackboxPattern("^\(value.text.escapedPattern)$"))
            }
        }
        proxies = http.proxies
        self.tls = tls
    }
}

extension BlackboxTCPModule {
    /// Creates an exchange with the options of a target; with TLS if there are options for it.
    fileprivate init(_ tcp: TCPOptions, _ tls: TLSOptions?) {
        self.init()
        if let bytes = tcp.send?.bytes {
            var step = Step()
            step.sentBytes = bytes
            steps.append(step)
        }
        if let pattern = tcp.expect {
            var step = Step()
            step.expect = BlackboxPattern(pattern)
            steps.append(step)
        }
        isSecure = tls != nil
        self.tls = tls ?? TLSOptions()
    }
}

extension BlackboxDNSModule {
    /// Creates a query with the options of a target.
    fileprivate init(_ query: String, _ type: UInt16, _ draft: TargetDraft) {
        self.init(name: query)
        self.type = type
        transport = draft.transport
        if let code = draft.responseCode { responseCodes = [UInt16(code.rawValue)] }
        if let answer = draft.answer {
            self.answer.failsIfNoneMatches = [BlackboxPattern("(?i)\\t\(answer.escapedPattern)\\.?$")]
        }
    }
}

extension HTTPOptions.Value {
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .boolean(let flag): "\(flag)"
        }
    }
}
