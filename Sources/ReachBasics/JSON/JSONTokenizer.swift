/// A parser of JSON (RFC 8259) that gets its text in pieces and reports tokens. It is strict, keeps no more than one string
/// or number in memory, and uses no stack for nested values.
package struct JSONTokenizer: Sendable {
    /// A part of a JSON text.
    package enum Token: Sendable, Hashable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        /// The name of a member; its value follows.
        case key(String)
        case string(String)
        /// A number as it is written.
        case number(String)
        case boolean(Bool)
        case null
    }

    /// Why a text is rejected. Offsets are in bytes from the beginning.
    package enum SyntaxError: Error, Hashable {
        /// A byte that cannot be at this offset.
        case unexpected(offset: Int)
        /// The text is not complete.
        case incomplete
        /// A number is longer than the limit.
        case tooLong(offset: Int)
        /// Objects and arrays are nested more deeply than the limit.
        case tooDeep(offset: Int)
    }

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
        case string
        case escape
        /// Hexadecimal digits after `\u`: the value and the number of digits so far.
        case codeUnit(UInt16, digits: Int)
        case number(NumberPart)
        /// The token of `true`, `false` or `null`, and the bytes that must follow.
        case word(Token, rest: Substring.UTF8View)
    }

    /// What the last byte of a number was.
    private enum NumberPart {
        case minus
        case zero
        case digit
        case point
        case fraction
        case exponentMark
        case exponentSign
        case exponent

        /// Whether a number can end here.
        var isComplete: Bool {
            switch self {
            case .zero, .digit, .fraction, .exponent: true
            case .minus, .point, .exponentMark, .exponentSign: false
            }
        }

        /// The part that a byte continues with; nil if the byte is not of the number.
        func next(_ byte: UInt8) -> NumberPart? {
            switch (self, byte) {
            case (.minus, UInt8(ascii: "0")): .zero
            case (.minus, UInt8(ascii: "1")...UInt8(ascii: "9")), (.digit, UInt8(ascii: "0")...UInt8(ascii: "9")):
                .digit
            case (.zero, UInt8(ascii: ".")), (.digit, UInt8(ascii: ".")): .point
            case (.point, UInt8(ascii: "0")...UInt8(ascii: "9")), (.fraction, UInt8(ascii: "0")...UInt8(ascii: "9")):
                .fraction
            case (.zero, UInt8(ascii: "e")), (.digit, UInt8(ascii: "e")), (.fraction, UInt8(ascii: "e")),
                (.zero, UInt8(ascii: "E")), (.digit, UInt8(ascii: "E")), (.fraction, UInt8(ascii: "E")):
                .exponentMark
            case (.exponentMark, UInt8(ascii: "+")), (.exponentMark, UInt8(ascii: "-")): .exponentSign
            case (.exponentMark, UInt8(ascii: "0")...UInt8(ascii: "9")),
                (.exponentSign, UInt8(ascii: "0")...UInt8(ascii: "9")),
                (.exponent, UInt8(ascii: "0")...UInt8(ascii: "9")):
                .exponent
            default: nil
            }
        }
    }

    private let maxDepth: Int
    private let maxLength: Int
    private var expected = Expected.value
    private var part = Part.none
    /// The bytes of the string or number that is being read.
    private var buffer: [UInt8] = []
    /// The first half of a surrogate pair.
    private var highSurrogate: UInt16?
    /// The open objects (true) and arrays (false), the innermost last.
    private var nesting: [Bool] = []
    private var offset = 0
    /// Whether the string that is being read is longer than the limit.
    private var isCut = false
    /// The number of strings so far that were longer than the limit.
    package private(set) var cutStrings = 0

    /// - Parameters:
    ///   - maxDepth: the greatest number of nested objects and arrays.
    ///   - maxLength: the length of the longest number, in bytes. A longer string is cut off there, and counted.
    package init(maxDepth: Int, maxLength: Int = .max) {
        self.maxDepth = maxDepth
        self.maxLength = maxLength
    }

    /// Parses a whole text, and reports its tokens.
    package static func read(
        _ text: ArraySlice<UInt8>,
        maxDepth: Int,
        _ report: (Token) -> Void
    ) throws(SyntaxError) {
        var tokenizer = JSONTokenizer(maxDepth: maxDepth)
        try tokenizer.read(text, report)
        try tokenizer.finish(report)
    }

    /// Parses a piece.
    package mutating func read(_ piece: ArraySlice<UInt8>, _ report: (Token) -> Void) throws(SyntaxError) {
        for byte in piece {
            try accept(byte, report)
            offset += 1
        }
    }

    /// Ends the text. A number at its end is complete only now.
    package mutating func finish(_ report: (Token) -> Void) throws(SyntaxError) {
        if case .number(let last) = part, last.isComplete { endNumber(report) }
        guard case .none = part, case .nothing = expected else { throw .incomplete }
    }

    private mutating func accept(_ byte: UInt8, _ report: (Token) -> Void) throws(SyntaxError) {
        switch part {
        case .none:
            try begin(byte, report)
        case .string:
            try acceptCharacter(byte, report)
        case .escape:
            try acceptEscape(byte)
        case .codeUnit(let value, let digits):
            try acceptDigit(byte, value, digits)
        case .number(let last):
            if let next = last.next(byte) {
                part = .number(next)
                return try keep(byte)
            }
            guard last.isComplete else { throw .unexpected(offset: offset) }
            endNumber(report)
            try begin(byte, report)
        case .word(let token, var rest):
            guard rest.popFirst() == byte else { throw .unexpected(offset: offset) }
            part = .word(token, rest: rest)
            if rest.isEmpty { end(token, report) }
        }
    }

    /// Reports a value.
    private mutating func end(_ token: Token, _ report: (Token) -> Void) {
        part = .none
        expected = afterValue
        report(token)
    }

    private mutating func endNumber(_ report: (Token) -> Void) {
        let text = takeText()
        end(.number(text), report)
    }

    private mutating func takeText() -> String {
        defer { buffer.removeAll(keepingCapacity: true) }
        if isCut { cutStrings += 1 }
        isCut = false
        return String(decoding: buffer, as: UTF8.self)
    }

    private mutating func keep(_ byte: UInt8) throws(SyntaxError) {
        guard buffer.count < maxLength else {
            if case .number = part { throw .tooLong(offset: offset) }
            // No later character is kept, since half a string and its end would be another string.
            isCut = true
            return
        }
        if isCut { return }
        buffer.append(byte)
    }

    // MARK: Strings

    private mutating func acceptCharacter(_ byte: UInt8, _ report: (Token) -> Void) throws(SyntaxError) {
        switch byte {
        case UInt8(ascii: "\""):
            endSurrogate()
            let text = takeText()
            guard case .colon = expected else { return end(.string(text), report) }
            part = .none
            report(.key(text))
        case UInt8(ascii: "\\"):
            part = .escape
        case 0..<0x20:
            throw .unexpected(offset: offset)
        default:
            endSurrogate()
            try keep(byte)
        }
    }

    private mutating func acceptEscape(_ byte: UInt8) throws(SyntaxError) {
        let character: UInt8
        switch byte {
        case UInt8(ascii: "u"):
            part = .codeUnit(0, digits: 0)
            return
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character = byte
        case UInt8(ascii: "b"): character = 0x08
        case UInt8(ascii: "f"): character = 0x0C
        case UInt8(ascii: "n"): character = 0x0A
        case UInt8(ascii: "r"): character = 0x0D
        case UInt8(ascii: "t"): character = 0x09
        default: throw .unexpected(offset: offset)
        }
        part = .string
        endSurrogate()
        try keep(character)
    }

    private mutating func acceptDigit(_ byte: UInt8, _ value: UInt16, _ digits: Int) throws(SyntaxError) {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .unexpected(offset: offset) }
        let value = value << 4 | UInt16(digit)
        guard digits == 3 else {
            part = .codeUnit(value, digits: digits + 1)
            return
        }
        part = .string
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
        if !isCut { buffer += Array("\u{FFFD}".utf8) }
    }

    private mutating func keep(_ scalar: Unicode.Scalar?) throws(SyntaxError) {
        for byte in UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { try keep(byte) }
    }

    // MARK: Structure

    /// Begins a token, or ends an object or array.
    private mutating func begin(_ byte: UInt8, _ report: (Token) -> Void) throws(SyntaxError) {
        switch (byte, expected) {
        case (UInt8(ascii: " "), _), (UInt8(ascii: "\n"), _), (UInt8(ascii: "\r"), _), (UInt8(ascii: "\t"), _):
            return
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
            part = .string
            expected = .colon
        case (_, .value), (_, .valueOrEnd):
            try beginValue(byte, report)
        default:
            throw .unexpected(offset: offset)
        }
    }

    private mutating func beginValue(_ byte: UInt8, _ report: (Token) -> Void) throws(SyntaxError) {
        switch byte {
        case UInt8(ascii: "{"):
            try enter(isObject: true)
            report(.beginObject)
        case UInt8(ascii: "["):
            try enter(isObject: false)
            report(.beginArray)
        case UInt8(ascii: "\""):
            part = .string
            expected = .value
        case UInt8(ascii: "t"):
            part = .word(.boolean(true), rest: "rue"[...].utf8)
        case UInt8(ascii: "f"):
            part = .word(.boolean(false), rest: "alse"[...].utf8)
        case UInt8(ascii: "n"):
            part = .word(.null, rest: "ull"[...].utf8)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            part = .number(byte == UInt8(ascii: "-") ? .minus : byte == UInt8(ascii: "0") ? .zero : .digit)
            try keep(byte)
        default:
            throw .unexpected(offset: offset)
        }
    }

    private mutating func enter(isObject: Bool) throws(SyntaxError) {
        guard nesting.count < maxDepth else { throw .tooDeep(offset: offset) }
        nesting.append(isObject)
        expected = isObject ? .keyOrEnd : .valueOrEnd
    }

    private mutating func leave() {
        nesting.removeLast()
        expected = afterValue
    }

    private var afterValue: Expected { nesting.isEmpty ? .nothing : .commaOrEnd }
}
