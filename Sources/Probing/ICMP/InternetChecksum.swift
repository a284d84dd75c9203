/// The one's complement checksum of the internet protocols (RFC 1071).
enum InternetChecksum {
    /// The checksum of these bytes; an odd last byte is padded with zero. Bytes that carry a right checksum sum up
    /// to zero.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
        var sum: UInt64 = 0
        var index = 0
        // Four bytes at a time: the sum of longer words is congruent to that of shorter ones (RFC 1071 §2).
        while index + 3 < bytes.count {
            sum &+= UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
            index += 4
        }
        while index + 1 < bytes.count {
            sum &+= UInt64(bytes[index]) << 8 | UInt64(bytes[index + 1])
            index += 2
        }
        if index < bytes.count { sum &+= UInt64(bytes[index]) << 8 }
        while sum >> 16 != 0 { sum = sum & 0xFFFF &+ sum >> 16 }
        return ~UInt16(truncatingIfNeeded: sum)
    }
}
