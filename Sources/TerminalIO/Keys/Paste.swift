import ReachBasics

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
