import ReachMonitoring

/// The values set so far for a target, with the options of all methods.
struct TargetDraft {
    var interval: Duration?
    var timeout: Duration?
    /// Where the interval or the timeout is set, whichever is nearer to the target; the timeout if one layer has both.
    var timingOrigin: ValueOrigin?
    /// Whether the nearest interval is invalid, so that no timeout can be compared with it.
    var hasInvalidInterval = false
    /// Whether the nearest timeout is invalid.
    var hasInvalidTimeout = false
    var retryInterval: Duration?
    var downInterval: Duration?
    var spread: Double?
    var rise: Int?
    var fall: Int?
    var slow: Duration?
    var lossy: Double?
    var mayFlap: Bool?
    var sla: ServiceLevel?
    var family: FamilyChoice?
    var addresses: AddressesChoice?
    var source: String?
    var sourceOrigin: ValueOrigin?
    /// Where the key of the client's certificate is set.
    var keyOrigin: ValueOrigin?
    /// Where the response code of DNS is set.
    var responseCodeOrigin: ValueOrigin?
    /// Where the proxy is set.
    var proxyOrigin: ValueOrigin?
    /// The references of the nearest layer that sets them.
    var dependsOn: [DependencyReference]?
    var isEnabled: Bool?
    /// How the path to the target is traced.
    var path = PathLayer()
    /// Which lasting changes of round trips and losses are reported.
    var shifts = ShiftLayer()
    /// The tags of all layers.
    private(set) var tags: [String] = []

    var icmp = ICMPOptions()
    var tcp = TCPOptions()
    var session = SessionOptions()
    var tls = TLSOptions()
    var http = HTTPOptions()
    var udp = UDPOptions()
    var redis = Credentials()
    var postgres = Credentials()
    /// The answer expected from a DNS server.
    var answer: String?
    /// The response code expected from a DNS server.
    var responseCode: DNSQuestion.ResponseCode?
    /// How a DNS query is sent.
    var transport = DNSQuestion.Transport.udp
    /// The command of `exec:`.
    var command: HookCommand?
    /// Whether the nearest command is invalid.
    var hasInvalidCommand = false

    /// Applies the layers in order: defaults, group, target, each after its template.
    init(_ layers: [Layer]) {
        for layer in layers { layer.apply(to: &self) }
    }

    /// Adds tags, each once.
    mutating func add(_ added: [String]) {
        for tag in added where !tags.contains(tag) { tags.append(tag) }
    }
}

/// The user and the password of a database. Those in the URL take precedence.
struct Credentials: Hashable {
    var user: String?
    var password: String?
}

/// The values of `family`: the address families that a target is probed with.
enum FamilyChoice: String, CaseIterable {
    /// The family that the system prefers.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
    /// Both, each as its own target.
    case both
}

/// The values of `addresses`: whether the addresses of a name share a row.
enum AddressesChoice: String, CaseIterable {
    /// One row for all addresses; the address that answers is probed.
    case any
    /// A row for each address.
    case each
}

extension TargetDraft {
    /// Creates a draft with the options of a question.
    init(optionsOf question: Question) {
        self.init([])
        switch question {
        case .icmp(_, let options): icmp = options
        case .tcp(_, _, let options): tcp = options
        case .session(_, _, let options): session = options
        case .tls(_, _, let options): tls = options
        case .http(let question): (http, tls) = (question.options, question.tls)
        case .dns(let question):
            (answer, responseCode, transport) = (question.answer, question.responseCode, question.transport)
        case .udp(_, _, let options): udp = options
        case .database(let question): tls = question.tls
        case .link, .route, .fleet: break
        case .exec(let run): command = run
        }
    }

    /// Returns the target for a question, or one for each family if both are selected. Values that the draft does not
    /// set are the defaults of the method.
    func targets(name: String, question: Question, group: String?, hooks: [HookRule]) -> [Target] {
        let families = families(for: question)
        return families.map { family in
            var target = Target(
                name: name,
                question: applyingOptions(to: question),
                family: family,
                probesBothFamilies: families.count > 1,
                addresses: takesEachAddress(of: question) ? .each : .any,
                source: question.method.takesSource ? source : nil,
                group: group,
                dependsOn: dependencies(of: name),
                interval: interval,
                timeout: timeout,
                retryInterval: retryInterval,
                downInterval: downInterval,
                spread: spread ?? 0.05,
                thresholds: Thresholds(
                    rise: rise ?? 1,
                    fall: fall ?? question.method.defaultFall,
                    slow: slow,
                    lossy: lossy
                ),
                mayFlap: mayFlap ?? true
            )
            (target.tags, target.hooks) = (tags, hooks)
            if target.hasPath { target.path = path.settings }
            target.shifts = shifts.settings
            if let sla { target.sla = sla }
            return target
        }
    }

    /// Returns the dependencies of the target with this name. Its own name, inherited from its group or the defaults,
    /// is left out.
    private func dependencies(of name: String) -> [Dependency] {
        (dependsOn ?? []).filter { $0.name != name }.map { reference in
            reference.name == Dependency.linkName ? .link : .target(reference.name)
        }
    }

    /// Returns the families that a question is probed with. For a numeric address, `family` is ignored, so that it can
    /// be set in the defaults.
    func families(for question: Question) -> [Family] {
        guard let host = question.host, Family(ofAddress: host) == nil else { return [.any] }
        return switch family ?? .any {
        case .any: [.any]
        case .v4: [.v4]
        case .v6: [.v6]
        case .both: [.v4, .v6]
        }
    }

    /// Returns the labels of a target whose URL is invalid.
    func labels(of name: String) -> [String] {
        family == .both ? [Family.v4, .v6].map { "\(name) IPv\($0.rawValue)" } : [name]
    }

    /// Whether each address of the host has its own row. For a numeric address, `addresses` is ignored, so that it can
    /// be set in the defaults.
    private func takesEachAddress(of question: Question) -> Bool {
        guard addresses == .each, question.method != .route, let host = question.host else { return false }
        // Only the proxy resolves the name.
        if case .http = question, http.proxies != .none { return false }
        return Family(ofAddress: host) == nil
    }

    /// Returns the question with the options of its method.
    func applyingOptions(to question: Question) -> Question {
        switch question {
        case .icmp(let host, _):
            return .icmp(host: host, icmp)
        case .tcp(let host, let port, _):
            return .tcp(host: host, port: port, tcp)
        case .session(let host, let port, _):
            return .session(host: host, port: port, session)
        case .tls(let host, let port, _):
            return .tls(host: host, port: port, tls)
        case .http(var question):
            question.options = http
            guard question.mayUseTLS else { return .http(question) }
            question.tls = tls
            // HTTPS starts with TLS. A starttls in the defaults is for tls targets only.
            question.tls.starttls = nil
            return .http(question)
        case .dns(var question):
            question.answer = answer
            question.responseCode = responseCode ?? .noerror
            question.transport = transport
            return .dns(question)
        case .udp(let host, let port, _):
            return .udp(host: host, port: port, udp)
        case .database(var question):
            if question.password == nil {
                switch question.wireProtocol {
                case .redis: (question.user, question.password) = (redis.user, redis.password)
                case .postgres: question.password = question.user == nil ? nil : postgres.password
                case .mysql: break
                }
            }
            guard question.isSecure else { return .database(question) }
            question.tls = tls
            question.tls.starttls = nil
            return .database(question)
        case .link, .route, .fleet:
            return question
        case .exec(let placeholder):
            return .exec(command ?? placeholder)
        }
    }
}

/// Where a value that targets may share is set: in `[defaults]`, a group, a template or a target.
struct ValueOrigin: Sendable, Hashable {
    let path: SettingsPath
    /// The table and the key in messages: `defaults.timeout`.
    let name: String
}

extension TableReader {
    /// Returns where the value of a key is set, or that of a key in the table of a key.
    func origin(_ keys: String...) -> ValueOrigin {
        ValueOrigin(
            path: keys.reduce(path) { $0.appending($1) },
            name: title + keys.joined(separator: ".")
        )
    }
}
