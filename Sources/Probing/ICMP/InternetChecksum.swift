/// The one's complement checksum of the internet protocols (RFC 1071).
enum InternetChecksum {
    /// The checksum of these bytes; an odd last byte is padded with zero. Bytes that carry a right checksum sum up
    /// to zero.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
        var sum: UInt64 = 0
        var index = 0
        while index + 1 < bytes.count {
            sum &+= UInt64(bytes[index]) << 8 | UInt64(bytes[index + 1])
            index += 2
        }
        if index < bytes.count { sum &+= UInt64(bytes[index]) << 8 }
        while sum >> 16 != 0 { sum = sum & 0xFFFF &+ sum >> 16 }
        return ~UInt16(truncatingIfNeeded: sum)
    }
}
