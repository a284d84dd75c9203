/// A character of several bytes, as far as it has come.
struct UTF8Scalar: Sendable {
    /// What a byte makes of it.
    enum Progress {
        /// More are to come.
        case open
        /// That was the last one; nil if the value may not be written in this way.
        case complete(Unicode.Scalar?)
        /// The byte does not belong to it: what came before is worth nothing.
        case invalid
    }

    private var value: UInt32
    private var missing: Int
    private let least: UInt32

    /// A character begun; nil if none begins with this byte.
    init?(first byte: UInt8) {
        switch byte {
        case 0xC2...0xDF: (value, missing, least) = (UInt32(byte & 0x1F), 1, 0x80)
        case 0xE0...0xEF: (value, missing, least) = (UInt32(byte & 0x0F), 2, 0x800)
        case 0xF0...0xF4: (value, missing, least) = (UInt32(byte & 0x07), 3, 0x10000)
        default: return nil
        }
    }

    mutating func take(_ byte: UInt8) -> Progress {
        guard byte & 0xC0 == 0x80 else { return .invalid }
        value = value << 6 | UInt32(byte & 0x3F)
        missing -= 1
        guard missing == 0 else { return .open }
        return .complete(value >= least ? Unicode.Scalar(value) : nil)
    }
}
