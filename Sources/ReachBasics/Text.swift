extension StringProtocol {
    /// The text without white space and line ends around it.
    package var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Whether the text is empty, or only white space and line ends.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// Whether the text can be the value of an HTTP field (RFC 9110 §5.5): no controls of ASCII but tabs.
    package var isFieldValue: Bool { utf8.allSatisfy { $0 == UInt8(ascii: "\t") || $0 >= 0x20 && $0 != 0x7F } }
}

extension UInt8 {
    /// Whether the byte is a digit of ASCII.
    @inlinable package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Whether the byte is a letter of ASCII. Lower case has one more bit than upper case.
    @inlinable package var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// Whether the byte is a letter or digit of ASCII.
    @inlinable package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}

/// The classes of characters that decide what is written to a terminal. There is one place, since texts of peers pass
/// several checks, which must not disagree.
extension Unicode.Scalar {
    /// Whether it is a control character (C0, delete or C1), or separates lines or paragraphs.
    @inlinable package var isControl: Bool {
        // Without the table of categories, which takes several times as long.
        guard value >= 0x7F else { return value < 0x20 }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether it is a control character, or an invisible format character: a joiner, a byte order mark, or one that changes
    /// the direction of text, such as U+202E.
    package var isControlOrFormat: Bool { isControl || properties.generalCategory == .format }

    /// Whether a terminal executes it instead of showing it: control characters, separators of lines, and bidirectional
    /// controls (UAX #9 §2). Joiners, which emoji contain, are not included.
    @inlinable package var isControlling: Bool {
        guard value >= 0x7F else { return value < 0x20 }
        return isControl || properties.isBidiControl
    }

    /// Whether it is neither a control nor a format character, and has a meaning.
    @inlinable package var isPrintable: Bool {
        guard value >= 0x7F else { return value >= 0x20 }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}

extension Collection<UInt8> {
    /// The bytes in hexadecimal, in lower case.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }
}

/// Base64 with padding (RFC 4648 §4).
extension [UInt8] {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes in base64.
    package var base64: String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = (group + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
            for index in 0..<4 {
                text.append(index <= group.count ? Self.alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; nil if it is not base64 with padding.
    package init?(base64 text: some StringProtocol) {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        self = []
        var (bits, count) = (0, 0)
        for character in characters.dropLast(padding) {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            guard count >= 8 else { continue }
            count -= 8
            append(UInt8(bits >> count & 0xFF))
            bits &= 1 << count - 1
        }
    }
}
