/// Parts of PromQL expressions (https://prometheus.io/docs/prometheus/latest/querying/basics/).
enum PromQL {
    /// A text as a literal in double quotes.
    static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += #"\""#
            case "\\": literal += #"\\"#
            case "\n": literal += #"\n"#
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// A matcher of one of several values. Only the characters that have a meaning in a regular expression (RE2) are
    /// escaped: Prometheus recognizes such an alternative of literals, and looks the values up in its index.
    static func matcher(_ label: String, oneOf values: [String]) -> String {
        if values.count == 1, let value = values.first { return "\(label)=\(quoted(value))" }
        return "\(label)=~\(quoted(values.map(escaped).joined(separator: "|")))"
    }

    private static func escaped(_ value: String) -> String {
        var pattern = ""
        for scalar in value.unicodeScalars {
            if #"\.+*?()|[]{}^$"#.unicodeScalars.contains(scalar) { pattern += "\\" }
            pattern.unicodeScalars.append(scalar)
        }
        return pattern
    }

    /// Whether a text is a name of a label, `[a-zA-Z_][a-zA-Z0-9_]*`.
    package static func isLabelName(_ text: String) -> Bool {
        isName(text[...]) && !text.contains(":")
    }

    /// Whether a text is a name of a metric.
    static func isName(_ text: Substring) -> Bool {
        guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", ":": true
            default: false
            }
        }
    }
}
