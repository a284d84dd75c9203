public import Screen

/// Turns the bytes of a terminal into keys, one byte at a time, so that it does not matter where reads cut them.
///
/// What the terminal says of itself is kept apart, and what it does not know is swallowed whole. Memory is bounded
/// whatever comes.
///
/// ```
///   ground ── ESC ──▶ escape ── [ ──▶ sequence ── final ──▶ ground, or paste until ESC [ 201 ~
///     │                 │───── O ──▶ shifted ── final ──▶ ground
///     │                 │── ] P X ^ _ ──▶ string ── BEL, ESC \\ ──▶ ground
///     │                 └── a character ──▶ ground: alt
///     └── first byte of a character ──▶ character ── its last ──▶ ground
/// ```
public struct KeyParser: Sendable {
    /// How long more bytes are to be waited for before ``flush()`` settles what is open.
    public enum Patience: Sendable, Hashable {
        /// Nothing is open.
        case forever
        /// An escape is open: it may be a key of its own, and a person waits for it.
        case briefly
        /// A character, a paste, a report or an answer is open, which come to an end unless the line breaks: the rest of
        /// them must not be taken for keys.
        case long
    }

    enum State: Sendable {
        /// Nothing is open.
        case ground
        /// An escape came.
        case escape
        /// A control sequence is open; these came after its `[`.
        case sequence([UInt8])
        /// A function key in the form of old terminals is open, after `ESC O`.
        case shifted
        /// So many bytes of an old mouse report are still to be swallowed.
        case mouse(Int)
        /// An answer of the terminal is open.
        case string(StringState)
        /// A character of several bytes is open.
        case character(UTF8Scalar, isAlt: Bool)
        /// A paste is open.
        case paste(Paste)
    }

    struct StringState: Sendable {
        /// What followed the escape.
        let introducer: UInt8
        /// What came since, as far as it is worth keeping.
        var text: [UInt8] = []
        /// Whether the last byte was an escape, which a backslash makes the end.
        var isEnding = false
    }

    private static let longestSequence = 64
    private static let longestAnswer = 64

    private var state = State.ground
    private var keys: [Key] = []
    /// What the terminal told last of its background.
    private var background: RGB?

    /// A parser with nothing open.
    public init() {}

    /// How long to wait for more bytes.
    public var patience: Patience {
        switch state {
        case .ground: .forever
        case .escape, .shifted: .briefly
        // Alt and a bracket are a key, unless something follows at once.
        case .sequence(let bytes): bytes.isEmpty ? .briefly : .long
        case .string(let string): string.text.isEmpty ? .briefly : .long
        case .mouse, .character, .paste: .long
        }
    }

    /// Takes bytes.
    ///
    /// - Returns: The keys that they complete.
    public mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
        for byte in bytes { take(byte) }
        defer { keys = [] }
        return keys
    }

    /// What the terminal's background is, if it has told since this was asked last.
    public mutating func takeBackground() -> RGB? {
        defer { background = nil }
        return background
    }

    /// Settles what is open, because no more bytes came in time: an escape was the key of that name.
    ///
    /// - Returns: The keys that were meant.
    public mutating func flush() -> [Key] {
        switch state {
        case .ground, .mouse, .character: break
        case .escape: keys.append(.escape)
        case .sequence(let bytes): if bytes.isEmpty { keys.append(.alt("[")) }
        case .shifted: keys.append(.alt("O"))
        case .string(let string): if string.text.isEmpty { keys.append(.alt(Self.character(string.introducer))) }
        case .paste(let paste): finish(paste)
        }
        state = .ground
        defer { keys = [] }
        return keys
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: takeGround(byte, isAlt: false)
        case .escape: takeEscape(byte)
        case .sequence(let bytes): takeSequence(byte, after: bytes)
        case .shifted: takeShifted(byte)
        case .mouse(let count): state = count > 1 ? .mouse(count - 1) : .ground
        case .string(let string): take(byte, in: string)
        case .character(let scalar, let isAlt): take(byte, in: scalar, isAlt: isAlt)
        case .paste(var paste):
            // The paste is moved out and back, or every byte would copy it.
            state = .ground
            if paste.take(byte) { finish(paste) } else { state = .paste(paste) }
        }
    }

    private mutating func takeGround(_ byte: UInt8, isAlt: Bool) {
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
            // Alt with a control key means no more than the control key.
            keys.append(Self.control(byte))
        }
    }

    private mutating func takeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shifted
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(StringState(introducer: byte))
        case 0x1B: keys.append(.escape)
        default: takeGround(byte, isAlt: true)
        }
    }

    private mutating func takeSequence(_ byte: UInt8, after bytes: [UInt8]) {
        switch byte {
        case UInt8(ascii: "[") where bytes.isEmpty, 0x20...0x3F:
            // The rest of what is too long to mean anything is swallowed without being kept.
            if bytes.count < Self.longestSequence { state = .sequence(bytes + [byte]) }
        case 0x40...0x7E:
            state = .ground
            switch ControlSequence(bytes, final: byte) {
            case .key(let key): keys.append(key)
            case .paste: state = .paste(Paste())
            case .mouse: state = .mouse(3)
            case .unknown: break
            }
        case 0x18, 0x1A:
            state = .ground
        default:
            takeGround(byte, isAlt: false)
        }
    }

    private mutating func takeShifted(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"):
            break  // modifiers
        case 0x21...0x7E:
            state = .ground
            if let key = ControlSequence.shifted(byte) { keys.append(key) }
        default:
            takeGround(byte, isAlt: false)
        }
    }

    private mutating func take(_ byte: UInt8, in string: StringState) {
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
            // No answer has a control in it: the terminal has lost the end, and this is a key.
            takeGround(byte, isAlt: false)
            return
        case 0x1B:
            string.isEnding = true
        default:
            if string.isEnding {
                // An escape without a backslash ends the string too, and begins something else.
                takeEscape(byte)
                return
            }
            if string.text.count <= Self.longestAnswer { string.text.append(byte) }
        }
        state = .string(string)
    }

    private mutating func finish(_ string: StringState) {
        state = .ground
        let text = String(decoding: string.text, as: UTF8.self)
        guard string.introducer == UInt8(ascii: "]"), text.hasPrefix("11;") else { return }
        background = RGB(answer: String(text.dropFirst(3))) ?? background
    }

    private mutating func take(_ byte: UInt8, in scalar: UTF8Scalar, isAlt: Bool) {
        var scalar = scalar
        switch scalar.take(byte) {
        case .open: state = .character(scalar, isAlt: isAlt)
        case .invalid: takeGround(byte, isAlt: false)
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
