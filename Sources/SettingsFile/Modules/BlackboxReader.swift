import Monitoring

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
                let line = member.line
                log.report("not supported: \(reason)", hint: "remove it", about: path(member.key), line: line)
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

    /// Reads true or false.
    func flag(_ key: String, _ value: YAMLValue) -> Bool? {
        if let flag = value.flag { return flag }
        report("expected true or false", about: key, value)
        return nil
    }

    /// Reads a whole number.
    func integer(_ key: String, _ value: YAMLValue, in range: ClosedRange<Int>) -> Int? {
        guard let number = value.text.flatMap({ Int($0) }) else {
            report("expected a whole number", about: key, value)
            return nil
        }
        guard range.contains(number) else {
            report(
                "\(number) is out of range",
                hint: "from \(range.lowerBound) to \(range.upperBound)",
                about: key,
                value
            )
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
    func pattern(_ key: String, _ value: YAMLValue) -> ModulePattern? {
        guard let text = text(key, value), !text.isEmpty else { return nil }
        let pattern = ModulePattern(go: text)
        do {
            _ = try Regex(pattern.expression)
            return pattern
        } catch {
            report("not a regular expression, or one that Swift does not support: \(error)", about: key, value)
            return nil
        }
    }

    /// Reads a list of regular expressions.
    func patterns(_ key: String, _ value: YAMLValue) -> [ModulePattern] {
        elements(key, value).compactMap { pattern(key, $0) }
    }

    /// Reads a duration of Go's syntax.
    func duration(_ key: String, _ value: YAMLValue) -> Duration? {
        guard let text = text(key, value) else { return nil }
        if text == "0" || text.isEmpty { return .zero }
        guard let duration = Duration(text: text), duration >= .zero else {
            report("invalid duration \(text.quoted)", hint: "such as 5s", about: key, value)
            return nil
        }
        return duration
    }

    /// Reads a preferred protocol.
    func family(_ key: String, _ value: YAMLValue) -> Family? {
        switch text(key, value) {
        case nil: return nil
        case "ip4": return .v4
        case "ip6", "": return .v6
        case let other?:
            report("unknown protocol \(other.quoted)", hint: "ip4 or ip6", about: key, value)
            return nil
        }
    }
}
