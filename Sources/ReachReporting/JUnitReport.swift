import ReachBasics
public import ReachMonitoring

/// The result of `wait` as JUnit XML, which CI systems show as tests: a test case for each target.
///
/// The elements and attributes are those that Jenkins and GitLab read (https://github.com/testmoapp/junitxml).
public struct JUnitReport: Sendable, Hashable {
    /// How a target ended the wait.
    public enum Result: Sendable, Hashable {
        /// It meets the condition since this time after the start.
        case met(after: Duration)
        /// It does not meet the condition, for this reason.
        case unmet(String)
        /// It does not meet the condition, which enough others do.
        case notNeeded
    }

    /// The text of the file.
    public let text: String

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - results: the targets with their results.
    ///   - length: how long the wait took.
    ///   - start: the start of the wait, in RFC 3339 format.
    ///   - redaction: removes secrets.
    public init(
        _ results: [(state: TargetState, result: Result)],
        took length: Duration,
        start: String,
        redaction: Redaction = Redaction()
    ) {
        let cases = results.map { Case(TargetRecord($0.state, redaction: redaction), $0.result, length) }
        let counts: KeyValuePairs = [
            "tests": "\(cases.count)", "failures": "\(cases.count { $0.kind == .failure })",
            "errors": "\(cases.count { $0.kind == .error })", "skipped": "\(cases.count { $0.kind == .skipped })",
            "time": length.secondsText,
        ]
        let suite: KeyValuePairs = ["name": "reach wait"]
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append("<testsuites\(suite.attributes)\(counts.attributes)>")
        lines.append("  <testsuite\(suite.attributes)\(counts.attributes) timestamp=\"\(start.xmlEscaped)\">")
        lines += cases.flatMap(\.lines).map { "    \($0)" }
        lines += ["  </testsuite>", "</testsuites>"]
        text = lines.joined(separator: "\n") + "\n"
    }

    /// A test case.
    private struct Case {
        enum Kind: String {
            case passed, failure, error, skipped
        }

        let kind: Kind
        let lines: [String]

        init(_ record: TargetRecord, _ result: Result, _ length: Duration) {
            let time: Duration
            var child: String?
            switch result {
            case .met(let span):
                (kind, time) = (.passed, span)
            case .notNeeded:
                (kind, time, child) = (.skipped, length, "<skipped/>")
            case .unmet(let message):
                // A target that cannot be probed is no failure of the target.
                kind = record.problem == nil ? .failure : .error
                time = length
                let type = record.problem ?? record.reason ?? record.health
                let attributes: KeyValuePairs = ["message": message, "type": type]
                child = "<\(kind)\(attributes.attributes)>\("\(record.url): \(message)".xmlEscaped)</\(kind)>"
            }
            let attributes: KeyValuePairs = [
                "classname": record.group ?? "targets", "name": record.target, "time": time.secondsText,
            ]
            let element = "<testcase\(attributes.attributes)"
            lines = child.map { ["\(element)>", "  \($0)", "</testcase>"] } ?? ["\(element)/>"]
        }
    }
}

extension KeyValuePairs<String, String> {
    /// The pairs as attributes of an element, each with a blank before it.
    fileprivate var attributes: String {
        map { " \($0.key)=\"\($0.value.xmlEscaped)\"" }.joined()
    }
}

extension Duration {
    /// Seconds with milliseconds: `1.204`.
    fileprivate var secondsText: String { decimal(.seconds(1), places: 3) }
}

extension String {
    /// The text in an element or attribute. Characters that XML 1.0 forbids, and others that a terminal would execute, become
    /// U+FFFD.
    fileprivate var xmlEscaped: String {
        printable.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
