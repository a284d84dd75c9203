/// A parser of JSON (RFC 8259) that gets its text in pieces and reports tokens. It keeps no more than one text or number
/// in memory, up to a limit.
struct JSONTokenizer {
    /// A part of a JSON text.
    enum Token: Sendable, Hashable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        /// The name of a member; its value follows.
        case key(String)
        case string(String)
        case number(Double)
        /// `true`, `false` or `null`.
        case literal(String)
    }

    /// Why a text is rejected.
    enum SyntaxError: Error, Hashable {
        /// A byte that cannot occur at this offset.
        case unexpected(UInt8, offset: Int)
        /// A text, a number or the nesting is longer than its limit.
        case tooLong(offset: Int)
    }

    /// The longest text, in bytes. Prometheus has no limit for label values; a longer one is an attack or a mistake.
    static let longestText = 65_536
    /// The deepest nesting. A result of a query has seven levels.
    static let deepest = 32

    /// What may come next.
    private enum Expected {
        case value
        /// A value, or the end of an empty array.
        case valueOrEnd
        case key
        /// A key, or the end of an empty object.
        case keyOrEnd
        case colon
        case commaOrEnd
        /// Only blanks: the text is complete.
        case nothing
    }

    /// A token that is not complete yet.
    private enum Part {
        case none
        case text(isKey: Bool)
        case escape(isKey: Bool)
        /// Hexadecimal digits after `\u`: the value and the number of digits so far.
        case unicode(isKey: Bool, UInt16, digits: Int)
        case number
        case literal
    }

    private var expected = Expected.value
    private var part = Part.none
    /// The bytes of the part.
    private var buffer: [UInt8] = []
    /// The first half of a surrogate pair.
    private var highSurrogate: UInt16?
    /// The open objects (true) and arrays (false), the innermost last.
    private var nesting: [Bool] = []
    private var offset = 0

    /// Whether the text is complete. Only blanks may follow.
    var isComplete: Bool {
        if case .nothing = expected { true } else { false }
    }

    /// Parses a piece.
    mutating func read(_ piece: some Sequence<UInt8>, _ report: (Token) -> Void) throws(SyntaxError) {
        for byte in piece {
            try accept(byte, report)
            offset += 1
        }
    }

    /// Ends the text. A number at its end is complete only now.
    mutating func finish(_ report: (Token) -> Void) throws(SyntaxError) {
        switch part {
        case .number where nesting.isEmpty, .literal where nesting.isEmpty: try finishWord(report)
        default: break
        }
    }

    private mutating func accept(_ byte: UInt8, _ report: (Token) -> Void) throws(SyntaxError) {
        switch part {
        case .text(let isKey):
            try acceptText(byte, isKey: isKey, report)
        case .escape(let isKey):
            try acceptEscape(byte, isKey: isKey)
        case .unicode(let isKey, let value, let digits):
            try acceptDigit(byte, isKey: isKey, value, digits)
        case .number, .literal:
            if Self.isPartOfWord(byte) { return try keep(byte) }
            try finishWord(report)
            try begin(byte, report)
        case .none:
            try begin(byte, report)
        }
    }

    // MARK: Texts

    private mutating func acceptText(
        _ byte: UInt8,
        isKey: Bool,
        _ report: (Token) -> Void
    ) throws(SyntaxError) {
        switch byte {
        case UInt8(ascii: "\""):
            endSurrogate()
            let text = String(decoding: buffer, as: UTF8.self)
            buffer.removeAll(keepingCapacity: true)
            part = .none
            expected = isKey ? .colon : afterValue
            report(isKey ? .key(text) : .string(text))
        case UInt8(ascii: "\\"):
            part = .escape(isKey: isKey)
        case 0..<0x20:
            throw SyntaxError.unexpected(byte, offset: offset)
        default:
            endSurrogate()
            try keep(byte)
        }
    }

    private mutating func acceptEscape(_ byte: UInt8, isKey: Bool) throws(SyntaxError) {
        part = .text(isKey: isKey)
        let character: UInt8
        switch byte {
        case UInt8(ascii: "u"):
            part = .unicode(isKey: isKey, 0, digits: 0)
            return
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character = byte
        case UInt8(ascii: "b"): character = 0x08
        case UInt8(ascii: "f"): character = 0x0C
        case UInt8(ascii: "n"): character = 0x0A
        case UInt8(ascii: "r"): character = 0x0D
        case UInt8(ascii: "t"): character = 0x09
        default: throw SyntaxError.unexpected(byte, offset: offset)
        }
        endSurrogate()
        try keep(character)
    }

    private mutating func acceptDigit(_ byte: UInt8, isKey: Bool, _ value: UInt16, _ digits: Int) throws(SyntaxError) {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
            throw SyntaxError.unexpected(byte, offset: offset)
        }
        let value = value << 4 | UInt16(digit)
        guard digits == 3 else {
            part = .unicode(isKey: isKey, value, digits: digits + 1)
            return
        }
        part = .text(isKey: isKey)
        switch (highSurrogate, value) {
        case (let high?, 0xDC00...0xDFFF):
            highSurrogate = nil
            try keep(Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(value) - 0xDC00)))
        case (_, 0xD800...0xDBFF):
            endSurrogate()
            highSurrogate = value
        default:
            endSurrogate()
            try keep(Unicode.Scalar(UInt32(value)))
        }
    }

    /// Replaces half a surrogate pair, as for invalid UTF-8.
    private mutating func endSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        buffer += Array("\u{FFFD}".utf8)
    }

    private mutating func keep(_ scalar: Unicode.Scalar?) throws(SyntaxError) {
        for byte in UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { try keep(byte) }
    }

    private mutating func keep(_ byte: UInt8) throws(SyntaxError) {
        guard buffer.count < Self.longestText else { throw SyntaxError.tooLong(offset: offset) }
        buffer.append(byte)
    }

    // MARK: Numbers and literals

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default:
            false
        }
    }

    private mutating func finishWord(_ report: (Token) -> Void) throws(SyntaxError) {
        let text = String(decoding: buffer, as: UTF8.self)
        defer { buffer.removeAll(keepingCapacity: true) }
        let isNumber = if case .number = part { true } else { false }
        part = .none
        expected = afterValue
        if isNumber {
            guard let number = Self.number(text) else {
                throw SyntaxError.unexpected(buffer.first ?? 0, offset: offset - buffer.count)
            }
            report(.number(number))
        } else {
            guard ["true", "false", "null"].contains(text) else {
                throw SyntaxError.unexpected(buffer.first ?? 0, offset: offset - buffer.count)
            }
            report(.literal(text))
        }
    }

    /// The value of a JSON number; nil for another text, such as `01`, `1.` and `0x1`.
    static func number(_ text: String) -> Double? {
        var rest = Substring(text)
        if rest.hasPrefix("-") { rest.removeFirst() }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, digits == "0" || !digits.hasPrefix("0") else { return nil }
        rest = rest[digits.endIndex...]
        if rest.hasPrefix(".") {
            let fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        }
        if rest.hasPrefix("e") || rest.hasPrefix("E") {
            rest.removeFirst()
            if rest.hasPrefix("+") || rest.hasPrefix("-") { rest.removeFirst() }
            guard !rest.isEmpty, rest.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            rest = ""
        }
        return rest.isEmpty ? Double(text) : nil
    }

    // MARK: Structure

    /// Begins a token, or ends an object or array.
    private mutating func begin(_ byte: UInt8, _ report: (Token) -> Void) throws(SyntaxError) {
        switch (byte, expected) {
        case (UInt8(ascii: " "), _), (UInt8(ascii: "\n"), _), (UInt8(ascii: "\r"), _), (UInt8(ascii: "\t"), _):
            return
        case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd):
            try enter(isObject: true)
            report(.beginObject)
        case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd):
            try enter(isObject: false)
            report(.beginArray)
        case (UInt8(ascii: "}"), .keyOrEnd),
            (UInt8(ascii: "}"), .commaOrEnd) where nesting.last == true:
            leave()
            report(.endObject)
        case (UInt8(ascii: "]"), .valueOrEnd),
            (UInt8(ascii: "]"), .commaOrEnd) where nesting.last == false:
            leave()
            report(.endArray)
        case (UInt8(ascii: ","), .commaOrEnd):
            expected = nesting.last == true ? .key : .value
        case (UInt8(ascii: ":"), .colon):
            expected = .value
        case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .keyOrEnd):
            part = .text(isKey: true)
        case (UInt8(ascii: "\""), .value), (UInt8(ascii: "\""), .valueOrEnd):
            part = .text(isKey: false)
        case (UInt8(ascii: "-"), .value), (UInt8(ascii: "-"), .valueOrEnd),
            (UInt8(ascii: "0")...UInt8(ascii: "9"), .value), (UInt8(ascii: "0")...UInt8(ascii: "9"), .valueOrEnd):
            part = .number
            try keep(byte)
        case (UInt8(ascii: "a")...UInt8(ascii: "z"), .value), (UInt8(ascii: "a")...UInt8(ascii: "z"), .valueOrEnd):
            part = .literal
            try keep(byte)
        default:
            throw SyntaxError.unexpected(byte, offset: offset)
        }
    }

    private mutating func enter(isObject: Bool) throws(SyntaxError) {
        guard nesting.count < Self.deepest else { throw SyntaxError.tooLong(offset: offset) }
        nesting.append(isObject)
        expected = isObject ? .keyOrEnd : .valueOrEnd
    }

    private mutating func leave() {
        nesting.removeLast()
        expected = afterValue
    }

    private var afterValue: Expected { nesting.isEmpty ? .nothing : .commaOrEnd }
}
