import ReachBasics
public import ReachScreen

/// A parser that turns the bytes of a terminal into keys. It takes one byte at a time, so reads may end anywhere.
///
/// Answers of the terminal are kept apart from keys. Unknown sequences are skipped as a whole. Memory is bounded for any
/// input.
///
/// ```
///   ground ── ESC ──▶ escape ── [ ──▶ sequence ── final ──▶ ground, or paste until ESC [ 201 ~
///     │                 │───── O ──▶ shifted ── final ──▶ ground
///     │                 │── ] P X ^ _ ──▶ string ── BEL, ESC \\ ──▶ ground
///     │                 └── a character ──▶ ground: alt
///     └── first byte of a character ──▶ character ── its last ──▶ ground
/// ```
public struct KeyParser: Sendable {
    /// How long to wait for more bytes before calling ``flush()``.
    public enum EscapeTimeout: Sendable, Hashable {
        /// Nothing is open: there is no timeout.
        case none
        /// An escape, a report or an answer is open. It may be the escape key, whose user waits, or have lost its end.
        case short
        /// A character or a paste is open. It ends unless the line breaks, and its rest must not be read as keys.
        case long
    }

    enum State: Sendable {
        /// Nothing is open.
        case ground
        /// An escape came.
        case escape
        /// A control sequence is open, with these bytes after its `[`.
        case sequence([UInt8])
        /// A function key in the form of old terminals is open, after `ESC O`.
        case shifted
        /// This many bytes of an old mouse report are still to be skipped.
        case mouse(Int)
        /// An answer of the terminal is open.
        case string(StringState)
        /// A character of several bytes is open.
        case character(UTF8Scalar, isAlt: Bool)
        /// A paste is open.
        case paste(Paste)
    }

    struct StringState: Sendable {
        /// The byte after the escape.
        let introducer: UInt8
        /// The bytes since then, up to the limit.
        var text: [UInt8] = []
        /// Whether the last byte was an escape: with a backslash, it ends the string.
        var isEnding = false

        /// Whether the string reports the background.
        var isBackground: Bool { introducer == UInt8(ascii: "]") && text.starts(with: "11;".utf8) }
    }

    private static let longestSequence = 64
    private static let longestAnswer = 64

    private var state = State.ground
    /// Whether a timeout has passed since the last byte of the open report or answer.
    private var isOverdue = false
    private var keys: [Key] = []
    /// The background that the terminal reported last.
    private var background: RGB?
    private var hasAttributes = false

    /// A parser with nothing open.
    public init() {}

    /// How long to wait for more bytes.
    public var timeout: EscapeTimeout {
        switch state {
        case .ground: .none
        case .escape, .shifted, .sequence, .string, .mouse: isOverdue ? .none : .short
        case .character, .paste: .long
        }
    }

    /// Parses the bytes of one read.
    ///
    /// - Returns: The keys that they complete.
    public mutating func parse(_ bytes: some Collection<UInt8>) -> [Key] {
        if isOverdue, !isRest(bytes) { state = .ground }
        isOverdue = false
        for byte in bytes { consume(byte) }
        endReportOfBackground()
        defer { keys = [] }
        return keys
    }

    /// The background that the terminal has reported since the last call; nil if none.
    public mutating func takeBackground() -> RGB? {
        defer { background = nil }
        return background
    }

    /// Returns whether the terminal has reported its attributes (DA1) since the last call.
    mutating func takeAttributes() -> Bool {
        defer { hasAttributes = false }
        return hasAttributes
    }

    /// Ends what is open after a timeout: a lone escape is the escape key.
    ///
    /// A report or an answer stays open for the next read, which has its rest or is a key.
    ///
    /// - Returns: The keys that result.
    public mutating func flush() -> [Key] {
        switch state {
        case .ground, .mouse, .character: break
        case .escape: keys.append(.escape)
        case .sequence(let bytes) where bytes.isEmpty: keys.append(.alt("["))
        case .shifted: keys.append(.alt("O"))
        case .string(let string) where string.text.isEmpty: keys.append(.alt(Self.character(string.introducer)))
        case .sequence, .string:
            isOverdue = true
            return []
        case .paste(let paste): finish(paste)
        }
        state = .ground
        defer { keys = [] }
        return keys
    }

    /// Whether the bytes of a read begin with the rest of the overdue report or answer. A terminal sends that in one piece,
    /// to its end. A key is a single byte or begins with an escape.
    private func isRest(_ bytes: some Collection<UInt8>) -> Bool {
        switch state {
        case .sequence:
            let parameters = bytes.prefix { (0x20...0x3F).contains($0) }
            let final = bytes.dropFirst(parameters.count).first
            return !parameters.isEmpty && (0x40...0x7E).contains(final ?? 0)
        case .string(let string):
            let rest = bytes.drop { $0 >= 0x20 && $0 != 0x7F }
            if string.isEnding, bytes.first == UInt8(ascii: "\\") { return true }
            return rest.first == 0x07 || rest.starts(with: [0x1B, UInt8(ascii: "\\")])
        default:
            return false
        }
    }

    private mutating func consume(_ byte: UInt8) {
        switch state {
        case .ground: consumeGround(byte, isAlt: false)
        case .escape: consumeEscape(byte)
        case .sequence(let bytes): consumeSequence(byte, after: bytes)
        case .shifted: consumeShifted(byte)
        case .mouse(let count): state = count > 1 ? .mouse(count - 1) : .ground
        case .string(let string): consume(byte, in: string)
        case .character(let scalar, let isAlt): consume(byte, in: scalar, isAlt: isAlt)
        case .paste(var paste):
            // Moved out and back: otherwise every byte would copy the paste.
            state = .ground
            if paste.consume(byte) { finish(paste) } else { state = .paste(paste) }
        }
    }

    private mutating func consumeGround(_ byte: UInt8, isAlt: Bool) {
        state = .ground
        switch byte {
        case 0x1B:
            state = .escape
        case 0x20...0x7E:
            let character = Self.character(byte)
            keys.append(isAlt ? .alt(character) : .character(character))
        case 0x80...:
            if let scalar = UTF8Scalar(first: byte) { state = .character(scalar, isAlt: isAlt) }
        default:
            // Alt with a control key is the control key.
            keys.append(Self.control(byte))
        }
    }

    private mutating func consumeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shifted
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(StringState(introducer: byte))
        case 0x1B: keys.append(.escape)
        default: consumeGround(byte, isAlt: true)
        }
    }

    private mutating func consumeSequence(_ byte: UInt8, after bytes: [UInt8]) {
        switch byte {
        case UInt8(ascii: "[") where bytes.isEmpty, 0x20...0x3F:
            // Bytes beyond the limit are skipped: no known sequence is that long.
            if bytes.count < Self.longestSequence { state = .sequence(bytes + [byte]) }
        case 0x40...0x7E:
            state = .ground
            switch ControlSequence(bytes, final: byte) {
            case .key(let key): keys.append(key)
            case .paste: state = .paste(Paste())
            case .mouse: state = .mouse(3)
            case .attributes: hasAttributes = true
            case .unknown: break
            }
        case 0x18, 0x1A:
            state = .ground
        default:
            consumeGround(byte, isAlt: false)
        }
    }

    private mutating func consumeShifted(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"):
            break  // modifiers
        case 0x21...0x7E:
            state = .ground
            if let key = ControlSequence.shifted(byte) { keys.append(key) }
        default:
            consumeGround(byte, isAlt: false)
        }
    }

    private mutating func consume(_ byte: UInt8, in string: StringState) {
        var string = string
        switch byte {
        case 0x07:
            finish(string)
            return
        case UInt8(ascii: "\\") where string.isEnding:
            finish(string)
            return
        case 0x18, 0x1A:
            state = .ground
            return
        case 0x00..<0x1B where !string.isEnding:
            // Answers contain no control characters: the end was lost, and this is a key.
            consumeGround(byte, isAlt: false)
            return
        case 0x1B:
            string.isEnding = true
        default:
            if string.isEnding {
                // An escape without a backslash also ends the string, and begins another sequence.
                consumeEscape(byte)
                return
            }
            if string.text.count <= Self.longestAnswer { string.text.append(byte) }
        }
        state = .string(string)
    }

    private mutating func finish(_ string: StringState) {
        state = .ground
        guard string.isBackground else { return }
        background = RGB(answer: String(decoding: string.text.dropFirst(3), as: UTF8.self)) ?? background
    }

    /// Ends an unfinished report of the background at a byte that no colour has: its end was lost, and keys follow.
    private mutating func endReportOfBackground() {
        guard case .string(let string) = state, string.isBackground,
            let index = string.text.indices.dropFirst(3).first(where: { !Self.isPartOfColor(string.text[$0]) })
        else { return }
        state = .ground
        for byte in string.text[index...] + (string.isEnding ? [0x1B] : []) { consume(byte) }
    }

    /// Whether a byte can be part of a colour: `rgb:28/2c/34`, `rgba:…`, `#282c34`.
    private static func isPartOfColor(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: "rg:/#?".utf8.contains(byte)
        }
    }

    private mutating func consume(_ byte: UInt8, in scalar: UTF8Scalar, isAlt: Bool) {
        var scalar = scalar
        switch scalar.consume(byte) {
        case .open: state = .character(scalar, isAlt: isAlt)
        case .invalid: consumeGround(byte, isAlt: false)
        case .complete(let value):
            state = .ground
            guard let value, !value.isControl else { return }
            keys.append(isAlt ? .alt(Character(value)) : .character(Character(value)))
        }
    }

    private mutating func finish(_ paste: Paste) {
        let text = paste.text
        if !text.isEmpty { keys.append(.paste(text)) }
    }

    private static func character(_ byte: UInt8) -> Character {
        Character(Unicode.Scalar(byte))
    }

    private static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x01...0x1A: .control(character(byte + 0x60))
        default: .control(character(byte + 0x40))
        }
    }
}

/// A partial UTF-8 sequence of several bytes.
struct UTF8Scalar: Sendable {
    /// The state after a byte.
    enum Progress {
        /// More bytes follow.
        case open
        /// The sequence is complete; nil if the value has a shorter form or is no scalar.
        case complete(Unicode.Scalar?)
        /// The byte does not continue the sequence, which is dropped.
        case invalid
    }

    private var value: UInt32
    private var missing: Int
    private let least: UInt32

    /// Begins a sequence; nil if none begins with this byte.
    init?(first byte: UInt8) {
        switch byte {
        case 0xC2...0xDF: (value, missing, least) = (UInt32(byte & 0x1F), 1, 0x80)
        case 0xE0...0xEF: (value, missing, least) = (UInt32(byte & 0x0F), 2, 0x800)
        case 0xF0...0xF4: (value, missing, least) = (UInt32(byte & 0x07), 3, 0x10000)
        default: return nil
        }
    }

    mutating func consume(_ byte: UInt8) -> Progress {
        guard byte & 0xC0 == 0x80 else { return .invalid }
        value = value << 6 | UInt32(byte & 0x3F)
        missing -= 1
        guard missing == 0 else { return .open }
        return .complete(value >= least ? Unicode.Scalar(value) : nil)
    }
}
