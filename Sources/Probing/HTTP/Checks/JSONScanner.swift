import Monitoring

/// A parser of a JSON text (RFC 8259) that finds single values by their paths.
///
/// It builds no tree: a text of a megabyte can have half a million values, and a check needs one of them.
struct JSONScanner {
    /// A value. Objects and arrays are found, but not read.
    enum Value: Sendable, Hashable {
        case string(String)
        case number(Double)
        case boolean(Bool)
        case null
        case object
        case array
    }

    /// The first mistake in a text.
    struct SyntaxError: Error, Hashable {
        let message: String
    }

    /// The maximum depth of nested objects and arrays, which limits the stack.
    static let maxDepth = 128

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// Checks the syntax of a whole text.
    init(_ bytes: [UInt8]) throws(SyntaxError) {
        self.bytes = bytes
        // A byte order mark may be ignored (RFC 8259 §8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let start = position
        _ = try value(at: nil)
        skipBlanks()
        guard position == bytes.count else { throw unexpected() }
        position = start
    }

    /// Returns the value at a path; nil if there is none. Of several members with one name, the last one counts, as for
    /// most parsers.
    func value(at path: HTTPOptions.JSONPath) throws(SyntaxError) -> Value? {
        var scanner = self
        return try scanner.value(at: path.segments[...])
    }

    /// Parses the next value and returns what it has at a path; nil as the path only skips the value.
    private mutating func value(at path: ArraySlice<HTTPOptions.JSONPath.Segment>?) throws(SyntaxError) -> Value? {
        skipBlanks()
        let isWanted = path?.isEmpty == true
        switch byte {
        case UInt8(ascii: "{"):
            let found = try object(at: isWanted ? nil : path)
            return isWanted ? .object : found
        case UInt8(ascii: "["):
            let found = try array(at: isWanted ? nil : path)
            return isWanted ? .array : found
        case UInt8(ascii: "\""):
            let text = try string(isWanted: isWanted)
            return isWanted ? .string(text) : nil
        case UInt8(ascii: "t"):
            try literal("true")
            return isWanted ? .boolean(true) : nil
        case UInt8(ascii: "f"):
            try literal("false")
            return isWanted ? .boolean(false) : nil
        case UInt8(ascii: "n"):
            try literal("null")
            return isWanted ? .null : nil
        default:
            let digits = try number()
            return isWanted ? .number(Double(String(decoding: digits, as: UTF8.self)) ?? .nan) : nil
        }
    }

    // MARK: Objects and arrays

    private mutating func object(at path: ArraySlice<HTTPOptions.JSONPath.Segment>?) throws(SyntaxError) -> Value? {
        var wanted: String?
        if case .name(let name)? = path?.first { wanted = name }
        var found: Value?
        try enter()
        var isFirst = true
        while try !ends(with: UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            guard byte == UInt8(ascii: "\"") else { throw unexpected() }
            let name = try string(isWanted: wanted != nil)
            skipBlanks()
            guard byte == UInt8(ascii: ":") else { throw unexpected() }
            position += 1
            // Strings are equal in Swift if they look the same, but names are compared by their characters.
            let isMatch = wanted.map { $0.unicodeScalars.elementsEqual(name.unicodeScalars) } ?? false
            let child = try value(at: isMatch ? path?.dropFirst() : nil)
            if isMatch { found = child }
        }
        return found
    }

    private mutating func array(at path: ArraySlice<HTTPOptions.JSONPath.Segment>?) throws(SyntaxError) -> Value? {
        var wanted: Int?
        if case .index(let index)? = path?.first { wanted = index }
        if let index = wanted, index < 0 {
            // The elements are counted first.
            var counter = self
            wanted = try counter.elements(at: nil, of: nil).count + index
        }
        return try elements(at: wanted, of: path?.dropFirst()).found
    }

    private mutating func elements(
        at wanted: Int?,
        of path: ArraySlice<HTTPOptions.JSONPath.Segment>?
    ) throws(SyntaxError) -> (found: Value?, count: Int) {
        var found: Value?
        var count = 0
        try enter()
        while try !ends(with: UInt8(ascii: "]"), isFirst: count == 0) {
            let element = try value(at: count == wanted ? path : nil)
            if count == wanted { found = element }
            count += 1
        }
        return (found, count)
    }

    private mutating func enter() throws(SyntaxError) {
        depth += 1
        guard depth <= Self.maxDepth else { throw SyntaxError(message: "nested more than \(Self.maxDepth) levels") }
        position += 1
    }

    /// Parses the end of an object or array, or the comma before its next part, and returns whether it ends.
    private mutating func ends(with end: UInt8, isFirst: Bool) throws(SyntaxError) -> Bool {
        skipBlanks()
        if byte == end {
            position += 1
            depth -= 1
            return true
        }
        guard !isFirst else { return false }
        guard byte == UInt8(ascii: ",") else { throw unexpected() }
        position += 1
        skipBlanks()
        // A comma before the end.
        guard byte != end else { throw unexpected() }
        return false
    }

    // MARK: Single values

    /// Parses a string. Returns its text if it is wanted, otherwise an empty one.
    private mutating func string(isWanted: Bool) throws(SyntaxError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                let scalar = try escape()
                if isWanted { text += Array(String(scalar).utf8) }
            case 0..<0x20:
                throw unexpected()
            default:
                position += 1
                if isWanted { text.append(byte) }
            }
        }
        throw unexpected()
    }

    /// Parses an escape after its backslash.
    private mutating func escape() throws(SyntaxError) -> Unicode.Scalar {
        guard let byte else { throw unexpected() }
        let scalar: Unicode.Scalar
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(byte)
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"):
            position += 1
            return try codePoint()
        default: throw unexpected()
        }
        position += 1
        return scalar
    }

    /// Parses the four digits of `\u`, or those of a surrogate pair. Half a pair is replaced (U+FFFD).
    private mutating func codePoint() throws(SyntaxError) -> Unicode.Scalar {
        let first = try hexadecimal()
        guard 0xD800...0xDBFF ~= first else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        let rest = bytes[position...]
        guard rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return "\u{FFFD}" }
        let start = position
        position += 2
        let second = try hexadecimal()
        guard 0xDC00...0xDFFF ~= second else {
            position = start
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(SyntaxError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw unexpected() }
            number = number << 4 + UInt32(digit)
            position += 1
        }
        return number
    }

    private mutating func literal(_ text: String) throws(SyntaxError) {
        for expected in text.utf8 {
            guard byte == expected else { throw unexpected() }
            position += 1
        }
    }

    /// Parses a number and returns its digits.
    private mutating func number() throws(SyntaxError) -> ArraySlice<UInt8> {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if byte == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return bytes[start..<position]
    }

    /// Parses one digit or more.
    private mutating func digits() throws(SyntaxError) {
        let start = position
        while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > start else { throw unexpected() }
    }

    // MARK: Bytes

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func unexpected() -> SyntaxError {
        guard position < bytes.count else { return SyntaxError(message: "it ends too early") }
        let quotation = String(quoting: bytes[position...].prefix(12), limit: 8)
        return SyntaxError(message: "unexpected \"\(quotation)\" at byte \(position + 1)")
    }
}
