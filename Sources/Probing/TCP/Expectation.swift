import Monitoring

/// The first bytes that a peer said, held against the pattern they should match.
struct Expectation {
    /// How many bytes are looked at.
    static let limit = 4_096

    private let pattern: Regex<AnyRegexOutput>
    private var heard: [UInt8] = []

    init(_ pattern: String) throws(Fault) {
        do {
            // By characters, "\r\n" is one, and neither "\r" nor "\n" would match in it.
            self.pattern = try Regex(pattern).matchingSemantics(.unicodeScalar)
        } catch {
            throw Fault(.internal, detail: "expect is no regular expression: \(pattern)")
        }
    }

    /// Takes bytes into account: nil while the answer may yet match, otherwise whether it does.
    mutating func hear(_ bytes: some Collection<UInt8>) -> Bool? {
        heard += bytes.prefix(Self.limit - heard.count)
        let text = String(decoding: heard, as: UTF8.self)
        if (try? pattern.firstMatch(in: text)) != nil { return true }
        return heard.count < Self.limit ? nil : false
    }

    /// Whether the peer has said anything.
    var hasHeard: Bool { !heard.isEmpty }

    /// What is wrong if nothing more comes.
    var failure: Failure {
        guard hasHeard else { return Failure(.closed, detail: "closed without an answer") }
        return Failure(.answerMismatch, detail: "unexpected answer \"\(quotation)\"")
    }

    /// The beginning of the answer, on one line and without anything that a terminal would obey.
    private var quotation: String {
        let shown = String(decoding: heard, as: UTF8.self).unicodeScalars.lazy
            .map { $0 == "\r" || $0 == "\n" || $0 == "\t" ? " " : $0 }
            .filter { $0.properties.isPrintable }
        let text = String(String.UnicodeScalarView(shown.prefix(41)))
        return text.unicodeScalars.count > 40 ? text.prefix(40) + "…" : text
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
