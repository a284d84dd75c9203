import Monitoring

extension Draft {
    /// The target that asks this question as the draft says, or one for each family where both are asked. What the
    /// draft does not say is the method's default.
    func targets(name: String, question: Question, group: String?, hooks: [HookRule]) -> [Target] {
        let families = families(for: question)
        return families.map { family in
            Target(
                name: name,
                question: asking(question),
                family: family,
                isOneOfBoth: families.count > 1,
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
        }
    }

    /// What the target of this name depends on. A name in its group or the defaults that is its own stands for the
    /// others.
    private func dependencies(of name: String) -> [Dependency] {
        (dependsOn ?? []).filter { $0.name != name }.map { reference in
            reference.name == Dependency.linkWord ? .link : .target(reference.name)
        }
    }

    /// The families that a question is asked by. An address leaves no choice, so that `family` may stand in the
    /// defaults beside targets that are addresses.
    func families(for question: Question) -> [Family] {
        guard let host = question.host, Family(ofAddress: host) == nil else { return [.any] }
        return switch family ?? .any {
        case .any: [.any]
        case .v4: [.v4]
        case .v6: [.v6]
        case .both: [.v4, .v6]
        }
    }

    /// The labels that the target of this name may have, where its question is not known.
    func labels(of name: String) -> [String] {
        family == .both ? [Family.v4, .v6].map { "\(name) IPv\($0.rawValue)" } : [name]
    }

    /// Whether each address of the question's host has a row: one that is an address has no others, so that `addresses` may
    /// stand in the defaults.
    private func takesEachAddress(of question: Question) -> Bool {
        guard addresses == .each, question.method != .route, let host = question.host else { return false }
        return Family(ofAddress: host) == nil
    }

    /// The question with the options of its method.
    private func asking(_ question: Question) -> Question {
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
            guard question.isSecure else { return .http(question) }
            question.tls = tls
            // HTTPS begins with TLS at once; a starttls of the defaults is for tls targets.
            question.tls.starttls = nil
            return .http(question)
        case .dns(var question):
            question.answer = answer
            question.responseCode = responseCode ?? .noerror
            return .dns(question)
        case .udp(let host, let port, _):
            return .udp(host: host, port: port, udp)
        case .link, .route:
            return question
        case .exec(let none):
            return .exec(command ?? none)
        }
    }
}
