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
