import ReachBasics
import ReachScreen

extension KeyParser {
    /// The meaning of a control sequence. Modifiers are ignored: shift with an arrow is the arrow.
    enum ControlSequence {
        /// A key.
        case key(Key)
        /// A paste begins.
        case paste
        /// A mouse report of the old form begins: three bytes follow.
        case mouse
        /// The terminal's attributes (DA1).
        case attributes
        /// Not used by a dashboard.
        case unknown

        init(_ bytes: [UInt8], final: UInt8) {
            let final = Character(Unicode.Scalar(final))
            if bytes == [UInt8(ascii: "[")] {
                self = Self.key(inConsoleForm: final)
                return
            }
            if bytes.first == UInt8(ascii: "<") {
                self = Self.mouse(bytes.dropFirst(), isPress: final == "M").map(Self.key) ?? .unknown
                return
            }
            if bytes.first == UInt8(ascii: "?"), final == "c" {
                self = .attributes
                return
            }
            // A sequence with a private marker or an intermediate byte is an answer of the terminal, not a key.
            guard bytes.allSatisfy({ (0x30...0x3B).contains($0) }) else {
                self = .unknown
                return
            }
            let first = Self.firstParameter(bytes)
            switch final {
            case "~", "^", "@": self = Self.key(numbered: first ?? 0)
            case "M" where bytes.isEmpty: self = .mouse
            case "R" where (first ?? 1) != 1: self = .unknown  // where the cursor is
            default: self = Self.key(lettered: final).map(Self.key) ?? .unknown
            }
        }

        /// A key of the form `ESC O` and a letter.
        static func shifted(_ byte: UInt8) -> Key? {
            byte == UInt8(ascii: "M") ? .enter : key(lettered: Character(Unicode.Scalar(byte)))
        }

        /// `ESC [ < button ; column ; row M`, counted from one; `m` is a released button (xterm's control sequences, SGR 1006).
        private static func mouse(_ bytes: ArraySlice<UInt8>, isPress: Bool) -> Key? {
            let words = String(decoding: bytes, as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false)
            let numbers = words.compactMap { $0.allSatisfy(\.isNumber) ? UInt16($0) : nil }
            guard isPress, words.count == 3, numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
            // The bits of shift, meta and control are ignored; the bit of a movement is not.
            switch numbers[0] & ~0b11100 {
            case 0: return .click(Position(column: Int(numbers[1]) - 1, row: Int(numbers[2]) - 1))
            case 64: return .wheelUp
            case 65: return .wheelDown
            default: return nil
            }
        }

        private static func firstParameter(_ bytes: [UInt8]) -> Int? {
            let digits = bytes.prefix { (0x30...0x39).contains($0) }
            return Int(String(decoding: digits, as: UTF8.self))
        }

        /// `ESC [ [ A` to `E`: the first five function keys of Linux's console.
        private static func key(inConsoleForm final: Character) -> ControlSequence {
            guard let index = ["A", "B", "C", "D", "E"].firstIndex(of: final) else { return .unknown }
            return .key(.function(index + 1))
        }

        private static func key(lettered final: Character) -> Key? {
            switch final {
            case "A", "a": .up
            case "B", "b": .down
            case "C", "c": .right
            case "D", "d": .left
            case "H": .home
            case "F": .end
            case "Z": .backTab
            case "P": .function(1)
            case "Q": .function(2)
            case "R": .function(3)
            case "S": .function(4)
            default: nil
            }
        }

        private static func key(numbered number: Int) -> ControlSequence {
            switch number {
            case 1, 7: .key(.home)
            case 2: .key(.insert)
            case 3: .key(.delete)
            case 4, 8: .key(.end)
            case 5: .key(.pageUp)
            case 6: .key(.pageDown)
            // The numbers of the function keys have gaps, as on the VT220's keyboard.
            case 11...15: .key(.function(number - 10))
            case 17...21: .key(.function(number - 11))
            case 23...26: .key(.function(number - 12))
            case 28, 29: .key(.function(number - 13))
            case 31...34: .key(.function(number - 14))
            case 200: .paste
            default: .unknown
            }
        }
    }
}

/// The bytes of a bracketed paste so far. Pasted text never acts as keys.
struct Paste: Sendable {
    /// The limit in bytes; the rest is dropped. A line of the dashboard needs far less.
    static let limit = 64 * 1024

    private static let end: [UInt8] = [0x1B, UInt8(ascii: "["), 0x32, 0x30, 0x31, UInt8(ascii: "~")]

    private var bytes: [UInt8] = []
    /// How many bytes of the end sequence have come.
    private var matched = 0

    /// Appends a byte.
    ///
    /// - Returns: Whether it completes the end sequence.
    mutating func consume(_ byte: UInt8) -> Bool {
        if byte == Self.end[matched] {
            matched += 1
            return matched == Self.end.count
        }
        for byte in Self.end[..<matched] { keep(byte) }
        matched = 0
        // An escape occurs only as the first byte of the end sequence.
        if byte == Self.end[0] { matched = 1 } else { keep(byte) }
        return false
    }

    private mutating func keep(_ byte: UInt8) {
        if bytes.count < Self.limit { bytes.append(byte) }
    }

    /// The text as one line: line ends and tabs become blanks; invalid bytes and control characters are dropped.
    var text: String {
        var text = ""
        var open: UTF8Scalar?
        var last: UInt8 = 0
        for byte in bytes {
            if var scalar = open {
                switch scalar.consume(byte) {
                case .open:
                    open = scalar
                    continue
                case .complete(let value):
                    if let value, !value.isControl { text.unicodeScalars.append(value) }
                    open = nil
                    continue
                case .invalid:
                    open = nil
                }
            }
            switch byte {
            case 0x0A where last == 0x0D: break
            case 0x09, 0x0A, 0x0D: text.append(" ")
            case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: open = UTF8Scalar(first: byte)
            }
            last = byte
        }
        return text
    }
}
