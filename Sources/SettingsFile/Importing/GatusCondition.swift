import Monitoring
import ReachBasics

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
                ?? start + Self.literal(text) + end
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
        let body = text.map { $0 == "*" ? "(?s:.*)" : $0 == "?" ? "(?s:.)" : literal(String($0)) }.joined()
        return (isOpenAtStart ? "" : start) + body + (isOpenAtEnd ? "" : end)
    }

    /// Returns a regular expression that matches exactly this text.
    private static func literal(_ text: String) -> String {
        text.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }.joined()
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
