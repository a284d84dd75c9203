import Monitoring

/// A look for a pattern of the settings in what a peer has said.
struct Search: Sendable, Hashable {
    /// What a search comes to.
    enum Match: Sendable, Hashable {
        /// The pattern does not match.
        case none
        /// It matches, but only if the text ends here: by `$`, for instance.
        case atEnd
        /// It matches, whatever may follow the text.
        case found
    }

    /// The regular expression.
    let pattern: String
    /// What was said, in UTF-8.
    let text: [UInt8]
    /// How long it is to wait before it begins.
    var pause = Duration.zero
    /// Whether nothing follows the text.
    var isWhole = false

    /// Whether the pattern matches somewhere in the text; a fault if it is no regular expression. May take for ever:
    /// never on an event loop.
    func run() -> Result<Match, Fault> {
        do {
            // By characters, "\r\n" is one, and neither "\r" nor "\n" would match in it; and they cost far more.
            let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
            let text = String(decoding: text, as: UTF8.self)
            guard try regex.firstMatch(in: text) != nil else { return .success(.none) }
            guard !isWhole, Self.mayDependOnEnd(pattern) else { return .success(.found) }
            for continuation in Self.continuations where try regex.firstMatch(in: text + continuation) == nil {
                return .success(.atEnd)
            }
            return .success(.found)
        } catch {
            return .failure(Fault(.internal, detail: "no regular expression: \(String(quoting: pattern.utf8))"))
        }
    }

    /// What may follow a text: more of a word or of a number, its end, another line, and anything.
    private static let continuations = ["a", "z", "0", "_", "!", " ", "\nx", "\0"]

    /// Whether the pattern has an anchor or a look-ahead, which may match at the end of a text and not within it.
    private static func mayDependOnEnd(_ pattern: String) -> Bool {
        var rest = Substring(pattern).utf8
        var classDepth = 0
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                // \b, \B, \z and \Z; \y, \Y, \Q and \E are too rare to be told apart.
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
