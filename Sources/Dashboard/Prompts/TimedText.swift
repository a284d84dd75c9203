import Monitoring

/// The parsed input that arms a hook: a command, or `30m: command` for a hook that is dropped after 30 minutes.
enum ArmCommand: Sendable, Hashable {
    /// An empty line.
    case empty
    /// A shell command, and how long the hook waits for its target.
    case command(String, within: Duration?)
    /// An invalid line, with the problem.
    case invalid(String)

    init(_ text: String) {
        let text = text.trimmed
        guard let limit = text.split(separator: " ").first, limit.hasSuffix(":"), limit.first?.isNumber == true else {
            self = text.isEmpty ? .empty : .command(text, within: nil)
            return
        }
        let command = String(text.dropFirst(limit.count)).trimmed
        let span = String(limit.dropLast())
        if let within = Duration(text: span), within > .zero {
            self =
                command.isEmpty
                ? .invalid("missing command after \(span):") : .command(command, within: within)
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
