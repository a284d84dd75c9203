import Monitoring

/// What is typed to arm a hook: a command, or `30m: command` for one that is given up after so long.
enum ArmingLine: Sendable, Hashable {
    /// Nothing was typed.
    case empty
    /// A line for the shell, and how long it waits for its target.
    case command(String, within: Duration?)
    /// It makes no sense, and why.
    case wrong(String)

    init(_ text: String) {
        let text = text.trimmed
        guard let limit = text.split(separator: " ").first, limit.hasSuffix(":"), limit.first?.isNumber == true else {
            self = text.isEmpty ? .empty : .command(text, within: nil)
            return
        }
        let command = String(text.dropFirst(limit.count)).trimmed
        let span = String(limit.dropLast())
        if let within = Duration(text: span), within > .zero {
            self = command.isEmpty ? .wrong("what is to run within \(span)?") : .command(command, within: within)
        } else if Int(span) != nil {
            self = .wrong("\(span) has no unit: \(span)s or \(span)m?")
        } else {
            self = .wrong("invalid duration \"\(span)\": such as 90s, 30m, 2h")
        }
    }
}

extension String {
    /// Without the blanks at its ends.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
