import Monitoring

/// A search for a pattern from the settings in received text.
struct PatternSearch: Sendable, Hashable {
    /// The result of a search.
    enum Match: Sendable, Hashable {
        /// The pattern does not match.
        case none
        /// It matches only if the text ends here, for example by `$`.
        case atEnd
        /// It matches regardless of what follows the text.
        case found
    }

    /// The regular expression.
    let pattern: String
    /// The received text in UTF-8.
    let text: [UInt8]
    /// The delay before the search starts.
    var pause = Duration.zero
    /// Whether the text is complete.
    var isComplete = false

    /// Returns whether the pattern matches somewhere in the text, or a fault if it is not a valid regular expression.
    ///
    /// This may never return, so it must not be called on an event loop.
    func run() -> Result<Match, Fault> {
        do {
            // As characters, "\r\n" is one, and neither "\r" nor "\n" would match in it. Characters are also far
            // slower.
            let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
            let text = String(decoding: text, as: UTF8.self)
            guard try regex.firstMatch(in: text) != nil else { return .success(.none) }
            guard !isComplete, Self.mayDependOnEnd(pattern) else { return .success(.found) }
            for continuation in Self.continuations where try regex.firstMatch(in: text + continuation) == nil {
                return .success(.atEnd)
            }
            return .success(.found)
        } catch {
            return .failure(Fault(.internal, detail: "invalid regular expression: \(String(quoting: pattern.utf8))"))
        }
    }

    /// Sample continuations of a text: of a word or number, its end, another line, and NUL.
    private static let continuations = ["a", "z", "0", "_", "!", " ", "\nx", "\0"]

    /// Returns whether the pattern has an anchor or a lookahead, whose match may depend on the end of the text.
    private static func mayDependOnEnd(_ pattern: String) -> Bool {
        var rest = Substring(pattern).utf8
        var classDepth = 0
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                // \b, \B, \z and \Z; \y, \Y, \Q and \E are too rare to be handled separately.
                if let escaped = rest.popFirst(), "bBzZyYQE".utf8.contains(escaped) { return true }
            case UInt8(ascii: "["): classDepth += 1
            case UInt8(ascii: "]"): classDepth = max(0, classDepth - 1)
            case UInt8(ascii: "$") where classDepth == 0: return true
            case UInt8(ascii: "(") where rest.starts(with: "?=".utf8) || rest.starts(with: "?!".utf8): return true
            default: break
            }
        }
        return false
    }
}
