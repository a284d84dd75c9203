import Monitoring

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
                mayFlap: mayFlap ?? true,
                hooks: hooks
            )
            target.tags = tags
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
