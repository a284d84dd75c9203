import ReachBasics

/// A PromQL expression with a value for each probe, which can be restricted to some of them.
struct ProbeExpression: Sendable, Hashable {
    /// The place of the matchers in a template: `rate(requests{$matchers}[1m])`.
    static let placeholder = "$matchers"

    /// The expression, with placeholders if the matchers can be part of it.
    private let template: String

    /// Whether it is a selector, whose values over a time can be aggregated without a subquery.
    var isSelector: Bool {
        template.hasSuffix("{\(Self.placeholder)}") || template.hasSuffix(",\(Self.placeholder)}")
            ? PromQL.isName(template.prefix { $0 != "{" }) : false
    }

    /// An expression with placeholders.
    init(template: String) {
        self.template = template
    }

    /// An expression of the settings. The matchers become part of a selector such as `probe_success{job="web"}`.
    init(_ text: String) {
        let text = text.trimmed
        let name = text.prefix { $0 != "{" }
        guard PromQL.isName(name.trimmed[...]) else {
            template = text
            return
        }
        let rest = text.dropFirst(name.count)
        if rest.isEmpty {
            template = "\(name.trimmed){\(Self.placeholder)}"
        } else if let matchers = Self.matchers(rest) {
            let separator = matchers.isEmpty || matchers.hasSuffix(",") ? "" : ","
            template = "\(name.trimmed){\(matchers)\(separator)\(Self.placeholder)}"
        } else {
            template = text
        }
    }

    /// The matchers of `{…}`, if the braces are the first and the last character; nil otherwise.
    private static func matchers(_ text: Substring) -> String? {
        guard text.first == "{", text.last == "}" else { return nil }
        let inner = text.dropFirst().dropLast()
        var quote: Character?
        var isEscaped = false
        for character in inner {
            if isEscaped {
                isEscaped = false
            } else if let open = quote {
                if character == "\\", open != "`" { isEscaped = true }
                if character == open { quote = nil }
            } else if "\"'`".contains(character) {
                quote = character
            } else if "{}".contains(character) {
                return nil
            }
        }
        return quote == nil ? String(inner).trimmed : nil
    }

    /// The expression for all probes.
    var text: String { filled("") }

    /// The expression for the probes whose label has one of these values.
    func text(where label: String, isOneOf values: [String]) -> String {
        if template.contains(Self.placeholder) { return filled(PromQL.matcher(label, oneOf: values)) }
        // The server calculates all of it, but sends these only.
        let wanted = values.map {
            "label_replace(vector(1), \"\(label)\", \(PromQL.quoted(Self.literal($0))), \"\", \"\")"
        }
        return "(\(template)) and on (\(label)) (\(wanted.joined(separator: " or ")))"
    }

    /// The mean values over steps, for the probes whose label has a value.
    func mean(where label: String, is value: String, step: Int64) -> String {
        let text = text(where: label, isOneOf: [value])
        // A subquery evaluates the expression once a minute.
        return isSelector ? "avg_over_time(\(text)[\(step)s])" : "avg_over_time((\(text))[\(step)s:60s])"
    }

    /// A text as the replacement of `label_replace`, where a dollar sign begins a group.
    private static func literal(_ text: String) -> String {
        text.replacing("$", with: "$$")
    }

    private func filled(_ matchers: String) -> String {
        template.replacing("," + Self.placeholder, with: matchers.isEmpty ? "" : "," + matchers)
            .replacing(Self.placeholder, with: matchers)
    }
}
