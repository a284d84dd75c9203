import ReachBasics

extension String {
    /// The text as part of a JSON string (RFC 8259 §7). Control characters, which a terminal or a log might interpret,
    /// are escaped too.
    package var jsonEscaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControl:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text as a JSON value: a number or a boolean if it is written like one, `null` if it is empty, a string
    /// otherwise.
    var jsonLiteral: String {
        if isEmpty { return "null" }
        let isNumber = wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil
        return isNumber || self == "true" || self == "false" ? self : "\"\(jsonEscaped)\""
    }

    /// The text with all characters but the unreserved ones percent-encoded (RFC 3986 §2.3).
    package var percentEncoded: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The text without control characters, which could end a header field or a line.
    var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isControl }))
    }
}

extension StringProtocol {
    /// The text with its `%XX` decoded (RFC 3986 §2.1); nil where that is malformed or not UTF-8.
    package var percentDecoded: String? {
        percentDecodedBytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes of the text with its `%XX` decoded (RFC 3986 §2.1); nil where that is malformed.
    package var percentDecodedBytes: [UInt8]? { Array(utf8).percentDecoded }
}

extension [UInt8] {
    fileprivate var percentDecoded: [UInt8]? {
        guard contains(UInt8(ascii: "%")) else { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var rest = self[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest.removeFirst(2)
        }
        return bytes
    }
}
