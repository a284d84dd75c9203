/// Writes numbers in few bytes: small ones take one.
struct CompactWriter: Sendable {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Writes a number, seven bits in each byte, the lowest first (LEB128).
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a count, which is not negative.
    mutating func write(count: Int) {
        write(UInt64(max(0, count)))
    }

    /// Writes a number of either sign: 0, -1, 1, -2 … as 0, 1, 2, 3 … (zigzag).
    mutating func write(signed number: Int64) {
        write(Self.zigzag(number))
    }

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    /// The number for one of either sign, small if that is near zero.
    static func zigzag(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: number << 1 ^ number >> 63)
    }
}

/// Reads what a ``CompactWriter`` wrote. Each function returns nil at the end, and for bytes that are damaged.
struct CompactReader: Sendable {
    private let bytes: [UInt8]
    /// The number of bytes that were read.
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func read() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard shift < 64 else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// Reads a count of at most 2³².
    mutating func readCount() -> Int? {
        guard let number = read(), number <= 1 << 32 else { return nil }
        return Int(number)
    }

    mutating func readSigned() -> Int64? {
        read().map(Self.signed)
    }

    mutating func readBytes(_ count: Int) -> [UInt8]? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// The number for its zigzag form.
    static func signed(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
