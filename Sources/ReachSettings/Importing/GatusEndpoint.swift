import ReachBasics
import ReachMonitoring

/// An endpoint of Gatus while it is read, with the parts of its target.
struct GatusEndpoint {
    /// How a part of an endpoint fits the target.
    enum Fit {
        case whole
        /// It is imported with another meaning.
        case approximate(String)
        case unsupported(String, hint: String? = nil)
    }

    /// The method of the target; nil before its URL is known.
    var method: Method?
    /// The statuses that meet all conditions so far.
    var status = Set(100...599)
    var http = TOMLPairs()
    var tls = TOMLPairs()
    var dns = TOMLPairs()
    /// The text that is sent by TCP or UDP, and the expected answer: any, unless a condition names it.
    var sent: (text: String, answer: String)?
    /// The expected answer of TCP if nothing is sent.
    var greeting: String?
    /// The IP version of echo requests.
    var family: String?
    /// Whether the target would not fail where the endpoint does: a condition has no counterpart.
    var lacksConditions = false
    var isEnabled = true
    /// The shortest limit of the response time, in milliseconds.
    private var slow: Int?
    private var warnDays: Int64?
    var interval: String?
    var timeout: String?
    private var json: [String] = []

    init(method: Method?) {
        self.method = method
    }

    /// The longest timeout of the target, if that of Gatus is longer than its interval allows.
    var shortenedTimeout: Duration? {
        guard let timeout = Duration(text: timeout ?? Self.defaultTimeout),
            let interval = Duration(text: interval ?? Self.defaultInterval)
        else { return nil }
        let longest = interval * (method?.longestTimeoutInIntervals ?? 1)
        return timeout > longest ? longest : nil
    }

    /// The interval and the timeout of Gatus.
    static let (defaultInterval, defaultTimeout) = ("1m", "10s")

    var isHTTP: Bool { method == .http || method == .https }

    /// Whether the options for TLS apply to the target. To HTTP they do after a redirect.
    var takesTLS: Bool {
        guard let method, method.optionTables.contains(Method.tls.rawValue) else { return false }
        return method != .http || !http.has("follow")
    }

    /// The options of the target.
    var options: TOMLPairs {
        var (options, http) = (TOMLPairs(), http)
        if !isEnabled { options.add("enabled", toml: "false") }
        if let interval { options.add("interval", interval) }
        if let longest = shortenedTimeout {
            options.add("timeout", longest.settingsNotation)
        } else if let timeout {
            options.add("timeout", timeout)
        }
        if let family { options.add("family", family) }
        if let slow { options.add("slow", "\(slow)ms") }
        if isHTTP {
            if status != Set(200...299) { http.add("status", toml: status.statusNotation) }
            if json.count == 1 { http.add("json", toml: json[0]) }
            if json.count > 1 { http.add("json", toml: "[\(json.joined(separator: ", "))]") }
            options.add("http", http)
        }
        if takesTLS { options.add("tls", tls) }
        if method == .tcp || method == .udp, let exchange { options.add(method?.rawValue ?? "", exchange) }
        if method == .dns { options.add("dns", dns) }
        return options
    }

    /// The options for the text sent by TCP or UDP and the expected answer.
    private var exchange: TOMLPairs? {
        guard sent != nil || greeting != nil else { return nil }
        var pairs = TOMLPairs()
        // A backslash begins an escape.
        if let sent { pairs.add("send", sent.text.replacing("\\", with: "\\\\")) }
        if let answer = sent?.answer ?? greeting { pairs.add("expect", answer) }
        return pairs
    }

    /// Adds method, header fields and body of the request.
    ///
    /// - Parameter body: The body, with its placeholders replaced.
    mutating func addRequest(_ endpoint: YAMLValue, body: String?) {
        guard isHTTP else {
            if method == .tcp || method == .udp, greeting == nil, let body { sent = (body, "(?s:.)") }
            return
        }
        if let method = endpoint["method"]?.text { http.add("method", method) }
        // Gatus wraps the query.
        let isGraphQL = endpoint["graphql"]?.flag == true
        var headers = TOMLPairs()
        let fields = endpoint["headers"]?.members ?? []
        for header in fields { headers.add(header.key, header.value.text ?? "") }
        if isGraphQL {
            http.add("body_sent", "{\"query\":\"\(body?.jsonEscaped ?? "")\"}")
            if !fields.contains(where: { $0.key.lowercased() == "content-type" }) {
                headers.add("Content-Type", "application/json")
            }
        } else if let body {
            http.add("body_sent", body)
        }
        http.add("headers", headers)
    }

    /// Adds a condition, as far as it fits.
    mutating func add(_ text: String) -> Fit {
        if let path = text.arguments(of: "has") { return .unsupported("no operator after has(\(path))") }
        guard let condition = GatusCondition(text) else { return .unsupported("not a condition") }
        switch condition.subject {
        case "[CONNECTED]":
            return condition.comparison == .equal && condition.value == "true"
                ? .whole : .unsupported("has no counterpart")
        case "[STATUS]" where isHTTP:
            guard let codes = condition.statusCodes else { return .unsupported("the status is not a number") }
            status.formIntersection(codes)
            return status.isEmpty ? .unsupported("no status meets all conditions") : .whole
        case "[RESPONSE_TIME]":
            return addResponseTime(condition)
        case "[CERTIFICATE_EXPIRATION]" where method == .https || method == .tls:
            return addExpiration(condition)
        case "[DNS_RCODE]" where method == .dns && condition.comparison == .equal:
            dns.add("rcode", condition.value)
            return .whole
        case "[BODY]" where method == .dns && condition.comparison == .equal && !condition.isPattern:
            dns.add("answer", condition.value)
            return .whole
        case "[BODY]" where isHTTP:
            return addBody(condition)
        case "[BODY]" where sent != nil && condition.comparison == .equal:
            guard sent?.answer == "(?s:.)" else { return .unsupported("there is another condition on the body") }
            sent?.answer = condition.bodyPattern
            return .whole
        // The status of a check of the version is that of a process.
        case "[STATUS]" where greeting != nil && condition.comparison == .equal && condition.value == "0":
            return .whole
        default:
            return addJSON(condition)
        }
    }

    private mutating func addResponseTime(_ condition: GatusCondition) -> Fit {
        guard [.less, .atMost].contains(condition.comparison), let limit = Int(condition.value), limit > 0 else {
            return .unsupported("has no counterpart")
        }
        slow = min(limit, slow ?? limit)
        return .approximate("imported as slow: slower replies make the target degraded, not down")
    }

    private mutating func addExpiration(_ condition: GatusCondition) -> Fit {
        guard [.greater, .atLeast].contains(condition.comparison),
            let time = Duration(text: condition.value), time > .zero
        else { return .unsupported("has no counterpart") }
        let day: Int64 = 86_400
        let days = max((time.components.seconds + day - 1) / day, warnDays ?? 0)
        warnDays = days
        tls.add("warn_days", toml: "\(days)")
        return .approximate("imported as tls.warn_days: a certificate that expires soon makes the target degraded")
    }

    private mutating func addBody(_ condition: GatusCondition) -> Fit {
        switch condition.comparison {
        case .equal where !http.has("body"): http.add("body", condition.bodyPattern)
        case .notEqual where !http.has("body_not"): http.add("body_not", condition.bodyPattern)
        case .equal, .notEqual:
            return .unsupported("there is another condition on the body", hint: "make one pattern of both")
        case .atMost, .atLeast, .greater, .less: return .unsupported("has no counterpart")
        }
        return .whole
    }

    /// Adds a condition on a value in a JSON body.
    private mutating func addJSON(_ condition: GatusCondition) -> Fit {
        let exists = condition.subject.arguments(of: "has")
        let subject = exists ?? condition.subject
        guard isHTTP, subject.hasPrefix("[BODY]"), condition.comparison == .equal else {
            return .unsupported("has no counterpart")
        }
        let path = "$" + subject.dropFirst("[BODY]".count)
        do {
            _ = try HTTPOptions.JSONPath(path)
        } catch {
            return .unsupported(error.message, hint: error.hint)
        }
        var check = TOMLPairs()
        check.add("path", path)
        if exists != nil {
            guard condition.value == "true" else { return .unsupported("has no counterpart") }
        } else if condition.isPattern {
            check.add("matches", condition.pattern)
        } else if Int(condition.value).map({ "\($0)" }) == condition.value || Bool(condition.value) != nil {
            check.add("is", toml: condition.value)
        } else {
            check.add("is", condition.value)
        }
        json.append(check.inlineTable)
        return .whole
    }
}

/// A condition of Gatus: two values with an operator between them, such as `[BODY].status == UP`.
struct GatusCondition {
    enum Operator: String, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case atMost = "<="
        case atLeast = ">="
        case greater = ">"
        case less = "<"
    }

    let subject: String
    let comparison: Operator
    let value: String

    /// Parses a condition; nil for another text. Blanks surround the operator.
    init?(_ text: String) {
        let found = Operator.allCases.lazy.compactMap { comparison in
            text.firstRange(of: " \(comparison.rawValue) ").map { (comparison, $0) }
        }
        guard let (comparison, range) = found.first else { return nil }
        subject = text[..<range.lowerBound].trimmed
        self.comparison = comparison
        value = text[range.upperBound...].trimmed
    }

    /// The alternatives of the value: those of `any(200, 201)`, or the value itself.
    var alternatives: [String] {
        guard let list = value.arguments(of: "any") else { return [value] }
        return list.split(separator: ",").map(\.trimmed)
    }

    /// The status codes that meet the condition; nil if the value is no number.
    var statusCodes: Set<Int>? {
        let numbers = alternatives.compactMap { Int($0) }
        guard numbers.count == alternatives.count, let number = numbers.first else { return nil }
        return Set(
            (100...599).filter { code in
                switch comparison {
                case .equal: numbers.contains(code)
                case .notEqual: !numbers.contains(code)
                case .atMost: code <= number
                case .atLeast: code >= number
                case .greater: code > number
                case .less: code < number
                }
            }
        )
    }

    /// A regular expression that matches the value: `pat(*x*)` with its wildcards, or one of the alternatives.
    var pattern: String { pattern(from: "^", to: "$") }

    /// The same for a body. Gatus ignores the white space around it.
    var bodyPattern: String { pattern(from: #"^\s*"#, to: #"\s*$"#) }

    private func pattern(from start: String, to end: String) -> String {
        let patterns = alternatives.map { text in
            text.arguments(of: "pat").map { Self.pattern($0, from: start, to: end) }
                ?? start + text.escapedPattern + end
        }
        return patterns.count == 1 ? patterns[0] : patterns.map { "(?:\($0))" }.joined(separator: "|")
    }

    /// Whether the value is a pattern or a list.
    var isPattern: Bool {
        value.arguments(of: "pat") != nil || value.arguments(of: "any") != nil
    }

    /// Returns the regular expression of a pattern with `*` and `?`.
    private static func pattern(_ glob: String, from start: String, to end: String) -> String {
        var text = glob[...]
        let (isOpenAtStart, isOpenAtEnd) = (text.hasPrefix("*"), text.hasSuffix("*"))
        while text.first == "*" { text.removeFirst() }
        while text.last == "*" { text.removeLast() }
        let body = text.map { $0 == "*" ? "(?s:.*)" : $0 == "?" ? "(?s:.)" : String($0).escapedPattern }.joined()
        return (isOpenAtStart ? "" : start) + body + (isOpenAtEnd ? "" : end)
    }
}

extension String {
    /// The argument of a call in this text: `x` of `pat(x)`; nil for another text.
    func arguments(of function: String) -> String? {
        guard hasPrefix("\(function)("), hasSuffix(")") else { return nil }
        return dropFirst(function.count + 1).dropLast().trimmed
    }
}

extension Set<Int> {
    /// The codes as the value of `status`: `200`, `"200-299,301"`.
    var statusNotation: String {
        var ranges: [ClosedRange<Int>] = []
        for code in sorted() {
            if let last = ranges.last, last.upperBound == code - 1 {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return texts.count == 1 && ranges[0].count == 1 ? texts[0] : texts.joined(separator: ",").tomlString()
    }
}
