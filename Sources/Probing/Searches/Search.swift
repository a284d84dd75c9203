import Monitoring

/// A look for a pattern of the settings in what a peer has said.
struct Search: Sendable, Hashable {
    /// The regular expression.
    let pattern: String
    /// What was said, in UTF-8.
    let text: [UInt8]
    /// How long it is to wait before it begins.
    var pause = Duration.zero

    /// Whether the pattern matches somewhere in the text; a fault if it is no regular expression. May take for ever:
    /// never on an event loop.
    func run() -> Result<Bool, Fault> {
        do {
            // By characters, "\r\n" is one, and neither "\r" nor "\n" would match in it; and they cost far more.
            let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
            return .success(try regex.firstMatch(in: String(decoding: text, as: UTF8.self)) != nil)
        } catch {
            return .failure(Fault(.internal, detail: "no regular expression: \(String(quoting: pattern.utf8))"))
        }
    }
}
