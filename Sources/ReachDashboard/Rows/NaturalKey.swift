import ReachMonitoring

/// The sort key of a text. Numbers in it count by their values, and an IP address by its bytes: `10.0.0.9` is before
/// `10.0.0.10`, `web-2` before `web-10`. Case does not matter.
struct NaturalKey: Comparable, Sendable {
    /// A part of the text. Addresses come before numbers, and those before other characters.
    private enum Part: Comparable, Sendable {
        /// The number of bytes, and their values.
        case address(length: Int, UInt64, UInt64)
        /// The number of digits without leading zeros, and these.
        case number(length: Int, String)
        case text(String)
    }

    private let parts: [Part]

    /// Creates the key of a text; a missing one comes last.
    init(_ text: String?) {
        parts = text.map(Self.parts) ?? [.text("\u{10FFFF}")]
    }

    /// Creates the key of a URL: its method, its host, then the rest.
    init(_ question: Question) {
        parts =
            [.text(question.method.rawValue)] + (question.host.map(Self.parts) ?? [])
            + Self.parts(of: question.authority)
    }

    static func < (one: Self, other: Self) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts)
    }

    private static func parts(of text: String) -> [Part] {
        if let bytes = text.addressBytes {
            let words = [bytes.dropLast(8), bytes.suffix(8)].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            return [.address(length: bytes.count, words[0], words[1])]
        }
        return Array(text.lowercased()).chunked(by: { $0.isASCII && $0.isNumber }).map { isNumber, characters in
            guard isNumber else { return .text(String(characters)) }
            let digits = characters.drop { $0 == "0" }
            return .number(length: digits.count, String(digits))
        }
    }
}
