package import ReachMonitoring

/// Options of the command line that apply to all targets, in place of those in the settings. They are read like the keys
/// of the settings, with the same limits and the same problems.
package struct TargetOptions: Sendable, Hashable {
    /// An option of the command line. The raw value is its name.
    package enum Option: String, Sendable, Hashable, CaseIterable {
        case timeout, status, body, header, method, insecure, ca
        case serverName = "server-name"
        case starttls, expect, slow, lossy
        case warnDays = "warn-days"
    }

    /// The values as the table of a target in the settings.
    private var table: [String: TOMLValue] = [:]
    private var options: Set<Option> = []

    /// Creates options that change nothing.
    package init() {}

    /// Reads options.
    ///
    /// - Parameter values: The values of each option, in their order. Those of ``Option/insecure`` are ignored.
    /// - Throws: ``SettingsFailure/problems(_:)`` with all problems. Their key paths are the names of the options.
    package init(_ values: [Option: [String]]) throws(SettingsFailure) {
        var problems: [SettingsProblem] = []
        for option in Option.allCases {
            guard let texts = values[option], let text = texts.last else { continue }
            options.insert(option)
            switch option {
            case .timeout, .slow: table[option.rawValue] = .literal(text)
            case .lossy: table["lossy"] = Double(text).map(TOMLValue.number) ?? .literal(text)
            case .warnDays: set("warn_days", of: "tls", to: Int(text).map(TOMLValue.integer) ?? .literal(text))
            case .status: set("status", of: "http", to: .literal(texts.joined(separator: ",")))
            case .body: set("body", of: "http", to: .literal(text))
            case .header: set("headers", of: "http", to: TOMLValue.headers(texts, &problems))
            case .method: set("method", of: "http", to: .literal(text))
            case .insecure: set("verify", of: "tls", to: .boolean(false))
            case .ca: set("ca", of: "tls", to: .literal(text))
            case .serverName: set("server_name", of: "tls", to: .literal(text))
            case .starttls: set("starttls", of: "tls", to: .literal(text))
            case .expect: for method in Self.expecting { set("expect", of: method.rawValue, to: .literal(text)) }
            }
        }
        let log = ProblemLog()
        _ = layer(log: log)
        for var problem in log.sorted {
            problem.keyPath = Self.optionName(for: problem.keyPath)
            // The pattern of `expect` is read for each method that has it.
            if !problems.contains(problem) { problems.append(problem) }
        }
        guard problems.isEmpty else { throw .problems(problems) }
    }

    /// The methods with a pattern for the reply.
    private static let expecting: [Method] = [.tcp, .session, .udp]

    private mutating func set(_ key: String, of method: String, to value: TOMLValue) {
        var keys: [String: TOMLValue] = [:]
        if case .table(let existing)? = table[method] { keys = existing }
        keys[key] = value
        table[method] = .table(keys)
    }

    private func layer(log: ProblemLog) -> Layer {
        let path = SettingsPath(file: log.add(file: "", text: ""))
        var reader = TableReader(table, title: "", at: path, substitution: Substitution(environment: [:]), log: log)
        return Layer(&reader)
    }

    /// Returns the option for a key of the settings: `http.status` is `--status`.
    private static func optionName(for keyPath: String) -> String {
        let parts = keyPath.split(separator: ".", maxSplits: 2)
        switch parts.count {
        case 3 where parts[1] == "headers": return "--header \(parts[2])"
        case 2 where parts[1] == "verify": return "--insecure"
        case 0: return keyPath
        default: return "--\(parts[min(1, parts.count - 1)].replacing("_", with: "-"))"
        }
    }

    /// Returns the options that apply to none of the targets, one problem for each, and timeouts that are too long.
    ///
    /// - Parameter hasIntervals: Whether the targets are probed at their intervals, which limit the timeout.
    package func problems(with targets: [Target], hasIntervals: Bool) -> [String] {
        var problems = Option.allCases.filter(options.contains).compactMap { option -> String? in
            guard !targets.isEmpty, !targets.contains(where: { option.applies(to: $0.question) }) else { return nil }
            let names = option.methods.map { option.name(of: $0) }.joined(separator: ", ")
            return "--\(option.rawValue): applies to none of the targets – remove it, or probe by \(names)"
        }
        if hasIntervals, options.contains(.timeout) {
            let changed = applied(to: targets)
            if let target = changed.first(where: { $0.timeout > $0.longestTimeout }) {
                let (timeout, interval) = (target.timeout.settingsNotation, target.interval.settingsNotation)
                let longest = target.longestTimeout.settingsNotation
                problems.append(
                    "--timeout: \(timeout) is too long for \(target.label) with its interval of \(interval) – "
                        + "at most \(longest), or a longer interval"
                )
            }
        }
        return problems
    }

    /// Returns the targets with the options that apply to their methods.
    package func applied(to targets: [Target]) -> [Target] {
        guard !options.isEmpty else { return targets }
        let layer = layer(log: ProblemLog())
        return targets.map { target in
            var draft = TargetDraft(optionsOf: target.question)
            layer.apply(to: &draft)
            var target = target
            target.question = draft.applyingOptions(to: target.question)
            if let timeout = draft.timeout { target.timeout = timeout }
            if let slow = draft.slow { target.thresholds.slow = slow }
            if let lossy = draft.lossy { target.thresholds.lossy = lossy }
            return target
        }
    }
}

extension TargetOptions.Option {
    fileprivate func applies(to question: Question) -> Bool {
        if needsTLS, case .http(let question) = question, !question.mayUseTLS { return false }
        return methods.contains(question.method)
    }

    /// Returns the name of a method in the message about an option that does not apply.
    fileprivate func name(of method: Method) -> String {
        needsTLS && method == .http ? "http with follow" : method.rawValue
    }

    private var needsTLS: Bool {
        switch self {
        case .insecure, .ca, .serverName, .warnDays: true
        default: false
        }
    }

    /// The methods of targets that the option applies to.
    fileprivate var methods: [Method] {
        let tables: Set<String>
        switch self {
        case .timeout, .slow, .lossy: return Method.settable
        // The other methods begin with TLS, or upgrade to it by themselves.
        case .starttls: return [.tls]
        case .status, .body, .header, .method: tables = [Method.http.rawValue]
        case .insecure, .ca, .serverName, .warnDays: tables = [Method.tls.rawValue]
        case .expect: tables = [Method.tcp.rawValue, Method.session.rawValue, Method.udp.rawValue]
        }
        return Method.allCases.filter { !tables.isDisjoint(with: $0.optionTables) }
    }
}

extension Target {
    fileprivate var longestTimeout: Duration { interval * question.method.longestTimeoutInIntervals }
}

extension TOMLValue {
    /// A text without variables: `${NAME}` is that text itself.
    fileprivate static func literal(_ text: String) -> TOMLValue {
        .string(text.replacing("${", with: "$${"))
    }

    /// Header fields, each as `Name: value`.
    fileprivate static func headers(_ fields: [String], _ problems: inout [SettingsProblem]) -> TOMLValue {
        var headers: [String: TOMLValue] = [:]
        for (index, field) in fields.enumerated() {
            let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            // The field is not quoted, since it may be a secret.
            let option = "--header no. \(index + 1)"
            guard parts.count == 2 else {
                problems.append(option: option, "no colon after the name", hint: "such as 'Accept: text/plain'")
                continue
            }
            let value = parts[1].drop { $0 == " " || $0 == "\t" }
            if headers.updateValue(.literal(String(value)), forKey: String(parts[0])) != nil {
                problems.append(option: option, "duplicate header", hint: "remove one of the two")
            }
        }
        return .table(headers)
    }
}

extension [SettingsProblem] {
    fileprivate mutating func append(option: String, _ message: String, hint: String) {
        append(SettingsProblem(file: "", keyPath: option, message: message, hint: hint))
    }
}
