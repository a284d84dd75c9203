/// A parser of JSON, from front to back.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    /// - Parameter bytes: Valid UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses the whole text.
    mutating func document() throws(JSONTree.Failure) -> JSONTree {
        let value = try value(depth: 0)
        skipBlanks()
        guard position == bytes.count else { throw failure("text after the end") }
        return value
    }

    private func failure(_ message: String) -> JSONTree.Failure {
        let line = 1 + bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") }
        return JSONTree.Failure(message: "not JSON: \(message)", line: line)
    }

    /// The failure at the next byte, which cannot be there.
    private var unexpected: JSONTree.Failure {
        guard position < bytes.count else { return failure("the text is cut off") }
        let byte = bytes[position]
        guard (0x21...0x7E).contains(byte) else { return failure("unexpected byte \(byte)") }
        return failure("unexpected '\(Unicode.Scalar(byte))'")
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
    }

    /// Reads a byte, after blanks, if it is the next one.
    private mutating func read(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONTree.Failure) -> JSONTree {
        skipBlanks()
        guard let byte = next else { throw unexpected }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < JSONTree.depth else { throw failure("more than \(JSONTree.depth) levels") }
            return byte == UInt8(ascii: "{") ? try object(depth: depth) : try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw unexpected
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONTree) throws(JSONTree.Failure) -> JSONTree {
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else { throw unexpected }
            position += 1
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONTree.Failure) -> JSONTree {
        position += 1
        var members: [String: JSONTree] = [:]
        if read("}") { return .object(members) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw unexpected }
            let name = try string()
            guard read(":") else { throw unexpected }
            members[name] = try value(depth: depth + 1)
            if read("}") { return .object(members) }
            guard read(",") else { throw unexpected }
        }
    }

    private mutating func array(depth: Int) throws(JSONTree.Failure) -> JSONTree {
        position += 1
        var elements: [JSONTree] = []
        if read("]") { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            if read("]") { return .array(elements) }
            guard read(",") else { throw unexpected }
        }
    }

    private mutating func number() throws(JSONTree.Failure) -> JSONTree {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(JSONTree.Failure) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw unexpected }
    }

    private mutating func string() throws(JSONTree.Failure) -> String {
        position += 1
        var text = ""
        var start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += String(decoding: bytes[start..<position], as: UTF8.self)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += String(decoding: bytes[start..<position], as: UTF8.self)
                position += 1
                text.unicodeScalars.append(try escaped())
                start = position
            case 0..<0x20:
                throw failure("control character in a string")
            default:
                position += 1
            }
        }
        throw unexpected
    }

    /// Reads the rest of an escape, after the backslash. Half a surrogate pair becomes U+FFFD.
    private mutating func escaped() throws(JSONTree.Failure) -> Unicode.Scalar {
        guard let byte = next else { throw unexpected }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            let isPair =
                unit < 0xDC00 && position + 1 < bytes.count && bytes[position] == UInt8(ascii: "\\")
                && bytes[position + 1] == UInt8(ascii: "u")
            guard isPair else { return "\u{FFFD}" }
            let before = position
            position += 2
            let second = try codeUnit()
            guard (0xDC00...0xDFFF).contains(second) else {
                position = before
                return "\u{FFFD}"
            }
            let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            return Unicode.Scalar(value) ?? "\u{FFFD}"
        default:
            position -= 1
            throw failure("unknown escape in a string")
        }
    }

    /// Reads the four hexadecimal digits of a code unit.
    private mutating func codeUnit() throws(JSONTree.Failure) -> UInt16 {
        guard position + 4 <= bytes.count else {
            position = bytes.count
            throw unexpected
        }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw failure("an escape needs four hexadecimal digits")
        }
        position += 4
        return unit
    }
}
