import Monitoring
import ReachBasics

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
        guard let span = Self.span(before: text) else {
            self = text.isEmpty ? .empty : .text(text, within: nil)
            return
        }
        let rest = String(text.dropFirst(span.count + 1)).trimmed
        let positive = String(span.trimmed.drop { $0 == "-" })
        // `1h 30m` is `1h30m`.
        if let within = Duration(text: span.filter { $0 != " " }), within > .zero {
            self = rest.isEmpty ? .invalid("missing \(noun) after \(span.trimmed):") : .text(rest, within: within)
        } else if Int(span.trimmed) != nil {
            self = .invalid("\(span.trimmed) has no unit – \(span.trimmed)s or \(span.trimmed)m?")
        } else if positive != span.trimmed {
            self = .invalid("invalid duration \"\(span.trimmed)\" – \(positive)?")
        } else {
            let hint = span.nearestDuration.map { "\($0)?" } ?? "such as 90s, 30m, 2h"
            self = .invalid("invalid duration \"\(span)\" – \(hint)")
        }
    }

    /// Returns the duration at the beginning of a line, valid or not: the part before the first colon, or all of the line,
    /// if that is a duration or a negative one; or the part before a colon with a blank or the end after it, if the part is
    /// one word that begins with a digit, or several that can be numbers with units.
    private static func span(before text: String) -> String? {
        let span = text.prefix { $0 != ":" }
        let joined = String(span.filter { $0 != " " })
        if Duration(text: joined) != nil { return String(span) }
        if joined.hasPrefix("-"), span.endIndex < text.endIndex, Duration(text: String(joined.dropFirst())) != nil {
            return String(span)
        }
        let rest = text[span.endIndex...].dropFirst()
        guard span.first?.isNumber == true, span.endIndex < text.endIndex, rest.first ?? " " == " " else { return nil }
        let words = span.split(separator: " ")
        let isPlausible = words.count == 1 || String(span).nearestDuration != nil
        return isPlausible ? String(span) : nil
    }
}
