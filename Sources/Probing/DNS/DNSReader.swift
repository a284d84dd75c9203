/// A reader of a DNS message from front to back. Each read returns nil and consumes nothing if the message is too short
/// or malformed.
struct DNSReader {
    /// The maximum number of compression pointers in a name. Real names have far fewer. A message with many pointers
    /// costs much more to read than to send.
    static let maxPointers = 32

    private let message: [UInt8]
    /// The offset of the next byte.
    private(set) var position: Int

    init(_ message: [UInt8], at position: Int = 0) {
        self.message = message
        self.position = position
    }

    mutating func readUInt8() -> UInt8? {
        guard position < message.count else { return nil }
        defer { position += 1 }
        return message[position]
    }

    mutating func readUInt16() -> UInt16? {
        guard message.count - position >= 2 else { return nil }
        defer { position += 2 }
        return UInt16(message[position]) << 8 | UInt16(message[position + 1])
    }

    mutating func readUInt32() -> UInt32? {
        guard message.count - position >= 4, let high = readUInt16(), let low = readUInt16() else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    /// Returns the identifier of a message (RFC 1035 §4.1.1); nil if the message is too short.
    static func identifier(of message: ArraySlice<UInt8>) -> UInt16? {
        guard message.count >= 2 else { return nil }
        return UInt16(message[message.startIndex]) << 8 | UInt16(message[message.startIndex + 1])
    }

    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= message.count - position else { return nil }
        defer { position += count }
        return message[position..<position + count]
    }

    /// Reads a name with compression pointers (RFC 1035 §4.1.4). Each pointer must lead further back than the one
    /// before, which excludes loops.
    mutating func readName() -> DNSName? {
        var wire: [UInt8] = []
        var (offset, start) = (position, position)
        var end: Int?
        var pointers = 0
        while offset < message.count {
            let length = Int(message[offset])
            switch length >> 6 {
            case 0:
                let next = offset + 1 + length
                // Every label but the last leaves room for the root label.
                let room = DNSName.maxLength - (length == 0 ? 0 : 1)
                guard next <= message.count, wire.count + 1 + length <= room else { return nil }
                wire += message[offset..<next]
                offset = next
                guard length == 0 else { continue }
                position = end ?? offset
                return DNSName(wire: wire)
            case 3:
                guard offset + 1 < message.count else { return nil }
                let target = (length & 0x3F) << 8 | Int(message[offset + 1])
                pointers += 1
                guard target < start, pointers <= Self.maxPointers else { return nil }
                end = end ?? offset + 2
                (offset, start) = (target, target)
            default:
                return nil
            }
        }
        return nil
    }
}
