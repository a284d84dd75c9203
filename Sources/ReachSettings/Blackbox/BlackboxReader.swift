import ReachMonitoring

/// Reads one mapping of a file of the blackbox exporter, and reports invalid and unsupported keys. Messages never contain
/// values that may be secrets.
struct BlackboxReader {
    /// The name of the mapping in messages: `module "http_2xx": http`.
    let title: String
    let log: BlackboxLog
    private let value: YAMLValue

    init(_ value: YAMLValue, title: String, log: BlackboxLog) {
        self.value = value
        self.title = title
        self.log = log
    }

    /// The line of the mapping.
    var line: Int { value.line }

    /// Calls `read` with each key and its value. If it returns false, the key is reported as unknown.
    ///
    /// - Parameter unsupported: The keys that the blackbox exporter has and reach has not, with the reasons.
    func read(unsupported: [String: String] = [:], _ read: (String, YAMLValue) -> Bool) {
        guard let members = value.members else {
            // A key without a value stands for an empty mapping.
            if value.text != nil || value.elements != nil || value.flag != nil {
                log.report("expected a mapping", about: title, line: value.line)
            }
            return
        }
        for member in members {
            if let reason = unsupported[member.key] {
                // An option that is off has no effect.
                guard member.value.flag != false else { continue }
                let line = member.line
                log.noteUnsupported("not supported: \(reason)", hint: "remove it", about: path(member.key), line: line)
            } else if !read(member.key, member.value) {
                log.report("unknown key \(member.key.quoted)", about: title, line: member.line)
            }
        }
    }

    /// The reader of a nested mapping.
    func nested(_ key: String, _ value: YAMLValue) -> BlackboxReader {
        BlackboxReader(value, title: path(key), log: log)
    }

    /// Reports a problem with the value of a key.
    func report(_ message: String, hint: String? = nil, about key: String, _ value: YAMLValue) {
        log.report(message, hint: hint, about: path(key), line: value.line)
    }

    /// Notes that the blackbox exporter accepts the value of a key, and reach cannot probe by it.
    func noteUnsupported(_ message: String, hint: String? = nil, about key: String, _ value: YAMLValue) {
        log.noteUnsupported(message, hint: hint, about: path(key), line: value.line)
    }

    private func path(_ key: String) -> String {
        if title.isEmpty { return key }
        return title.hasSuffix("\"") ? "\(title): \(key)" : "\(title).\(key)"
    }
}

// MARK: Values

extension BlackboxReader {
    /// Reads a text; the text of null is empty.
    func text(_ key: String, _ value: YAMLValue) -> String? {
        if let text = value.text { return text }
        if value.elements == nil, value.members == nil { return "" }
        report("expected a text", about: key, value)
        return nil
    }

    /// Reads a text; nil for an empty one.
    func nonEmptyText(_ key: String, _ value: YAMLValue) -> String? {
        text(key, value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads true or false. Null leaves the default.
    func flag(_ key: String, _ value: YAMLValue) -> Bool? {
        if let flag = value.flag { return flag }
        if value.isNull { return nil }
        switch value.isPlain ? value.text?.lowercased() : nil {
        case "y": return true
        case "n": return false
        default: break
        }
        report("expected true or false", about: key, value)
        return nil
    }

    /// Reads a whole number; zero for null.
    func integer(_ key: String, _ value: YAMLValue) -> Int? {
        if value.isNull { return 0 }
        guard value.isPlain, let number = value.text?.wholeNumber else {
            report("expected a whole number", about: key, value)
            return nil
        }
        return number
    }

    /// Reads a list.
    func elements(_ key: String, _ value: YAMLValue) -> [YAMLValue] {
        if let elements = value.elements { return elements }
        if value.text != nil || value.members != nil { report("expected a list", about: key, value) }
        return []
    }

    /// Reads a list of texts.
    func texts(_ key: String, _ value: YAMLValue) -> [String] {
        elements(key, value).compactMap { text(key, $0) }
    }

    /// Reads a regular expression of Go's syntax; nil for an empty one.
    ///
    /// - Parameter isChecked: Whether the blackbox exporter compiles it when it reads the file.
    func pattern(_ key: String, _ value: YAMLValue, isChecked: Bool = true) -> BlackboxPattern? {
        guard let text = nonEmptyText(key, value) else { return nil }
        let pattern = BlackboxPattern(go: text)
        do {
            _ = try Regex(pattern.expression)
            return pattern
        } catch {
            let message = "invalid regular expression, or one that Swift does not support: \(error)"
            if isChecked, text.hasUnbalancedBrackets {
                report(message, about: key, value)
            } else {
                noteUnsupported(message, about: key, value)
            }
            return nil
        }
    }

    /// Reads a list of regular expressions.
    func patterns(_ key: String, _ value: YAMLValue, areChecked: Bool = true) -> [BlackboxPattern] {
        elements(key, value).compactMap { pattern(key, $0, isChecked: areChecked) }
    }

    /// Reads a duration of Go's syntax.
    func duration(_ key: String, _ value: YAMLValue) -> Duration? {
        guard let text = text(key, value) else { return nil }
        if value.isNull { return .zero }
        guard let duration = Duration(go: text), text != "0" || !value.isPlain else {
            report("invalid duration \(text.quoted)", hint: "such as 5s", about: key, value)
            return nil
        }
        return duration
    }

    /// Reads a preferred protocol.
    func family(_ key: String, _ value: YAMLValue) -> Family? {
        switch text(key, value) {
        case nil: nil
        case "ip6", "": .v6
        // The blackbox exporter takes any other text for ip4.
        default: .v4
        }
    }
}

extension Duration {
    /// Parses a duration of Go's `time.ParseDuration`: `1m30s`, `-1.5h`, `0`. Nil if it is invalid.
    init?(go text: String) {
        let isNegative = text.hasPrefix("-")
        let body = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let units = ["ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3_600]
        guard let seconds = body == "0" ? 0 : body.sum(of: units), seconds < 9e9 else { return nil }
        self = .nanoseconds(Int64((isNegative ? -seconds : seconds) * 1e9))
    }
}

extension Substring {
    /// The sum of numbers with units, such as `1m30s`; nil if the text is anything else.
    func sum(of units: [String: Double]) -> Double? {
        var (sum, rest) = (0.0, self)
        repeat {
            let number = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0 != "." && !($0.isASCII && $0.isNumber) }
            rest = rest.dropFirst(unit.count)
            // Go accepts a point before and after the digits.
            let padded = number.contains(".") ? "0\(number)0" : String(number)
            guard number.contains(where: \.isNumber), let value = Double(padded), let size = units[String(unit)]
            else { return nil }
            sum += value * size
        } while !rest.isEmpty
        return sum
    }
}

extension String {
    /// The value of a whole number in YAML: `1_000`, `0x10`, `0o17`, `1e3`. Nil for another text.
    var wholeNumber: Int? {
        let text = filter { $0 != "_" }
        let isNegative = text.hasPrefix("-")
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2), ("0", 8)] where digits.hasPrefix(prefix) {
            if let number = Int(digits.dropFirst(prefix.count), radix: radix) { return isNegative ? -number : number }
        }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }

    /// Whether a regular expression has a bracket or parenthesis without its counterpart, or ends with a backslash.
    var hasUnbalancedBrackets: Bool {
        var (depth, isClass, rest) = (0, false, self[...])
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard rest.popFirst() != nil else { return true }
            case "[" where !isClass:
                isClass = true
                // A bracket at the beginning of a class is one of its characters.
                if rest.first == "^" { rest.removeFirst() }
                if rest.first == "]" { rest.removeFirst() }
            case "[" where rest.first == ":":
                // A class of POSIX such as [:digit:].
                if let end = rest.firstRange(of: ":]") { rest = rest[end.upperBound...] }
            case "]": isClass = false
            case "(" where !isClass: depth += 1
            case ")" where !isClass: depth -= 1
            default: break
            }
            if depth < 0 { return true }
        }
        return depth > 0 || isClass
    }
}
