import Monitoring

/// The parsed input of a prompt for a text with an optional duration: a command or a reason, or `30m: command`.
enum TimedText: Sendable, Hashable {
    /// An empty line.
    case empty
    /// A text, and how long it holds.
    case text(String, within: Duration?)
    /// An invalid line, with the problem.
    case invalid(String)

    /// Parses a line.
    ///
    /// - Parameter noun: what the text is, for the problem.
    init(_ text: String, of noun: String) {
        let text = text.trimmed
        guard let limit = text.split(separator: " ").first, limit.hasSuffix(":"), limit.first?.isNumber == true else {
            self = text.isEmpty ? .empty : .text(text, within: nil)
            return
        }
        let rest = String(text.dropFirst(limit.count)).trimmed
        let span = String(limit.dropLast())
        if let within = Duration(text: span), within > .zero {
            self = rest.isEmpty ? .invalid("missing \(noun) after \(span):") : .text(rest, within: within)
        } else if Int(span) != nil {
            self = .invalid("\(span) has no unit – \(span)s or \(span)m?")
        } else {
            self = .invalid("invalid duration \"\(span)\" – such as 90s, 30m, 2h")
        }
    }
}

extension String {
    /// The text without leading and trailing blanks.
    var trimmed: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
