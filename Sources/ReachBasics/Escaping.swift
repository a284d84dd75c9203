extension Unicode.Scalar {
    /// The escape of JSON and TOML for a scalar of at most four digits: `\u001b`.
    package var unicodeEscape: String { "\\u" + value.digits(atLeast: 4, radix: 16) }
}

extension String {
    /// The text as part of a JSON string (RFC 8259 §7), or of a basic string of TOML. All control characters are escaped,
    /// since a terminal or a log might interpret them.
    package var jsonEscaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControl: text += scalar.unicodeEscape
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text as a JSON string, in quotation marks.
    package var jsonString: String { "\"\(jsonEscaped)\"" }

    /// The text with all characters but the unreserved ones percent-encoded (RFC 3986 §2.3).
    package var percentEncoded: String { percentEncoded(except: "-._~") }

    /// The text with all bytes percent-encoded that are neither letters nor digits nor among these (RFC 3986 §2.1).
    package func percentEncoded(except plain: String) -> String {
        utf8.reduce(into: "") { text, byte in
            if byte.isASCIILetterOrDigit || plain.utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension String {
    /// The URL or the reference of a redirect (RFC 3986 §4.1) without user and password.
    package var withoutCredentials: String {
        guard let slashes = firstRange(of: "//"),
            slashes.lowerBound == startIndex || self[index(before: slashes.lowerBound)] == ":"
        else { return self }
        let authority = self[slashes.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return String(self[..<slashes.upperBound] + self[index(after: at)...])
    }
}

extension StringProtocol {
    /// The text with its `%XX` decoded (RFC 3986 §2.1); nil where that is malformed or not UTF-8.
    package var percentDecoded: String? {
        percentDecodedBytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes of the text with its `%XX` decoded (RFC 3986 §2.1); nil where that is malformed.
    package var percentDecodedBytes: [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var rest = Array(utf8)[...]
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
