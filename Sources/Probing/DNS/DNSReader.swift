/// Reads a DNS message from front to back. Every read is nil, and reads nothing, where the message ends too early or
/// breaks the rules.
struct DNSReader {
    /// How many times a name may go on elsewhere. Nobody writes a name in so many pieces; a message made of such names
    /// would cost much more to read than to send.
    static let mostHops = 32

    private let message: [UInt8]
    /// The next byte to read.
    private(set) var position: Int

    init(_ message: [UInt8], at position: Int = 0) {
        self.message = message
        self.position = position
    }

    mutating func byte() -> UInt8? {
        guard position < message.count else { return nil }
        defer { position += 1 }
        return message[position]
    }

    mutating func short() -> UInt16? {
        guard message.count - position >= 2 else { return nil }
        defer { position += 2 }
        return UInt16(message[position]) << 8 | UInt16(message[position + 1])
    }

    mutating func long() -> UInt32? {
        guard message.count - position >= 4, let high = short(), let low = short() else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    /// What a message is known by (RFC 1035 §4.1.1); nil for what is too short for it.
    static func identifier(of message: ArraySlice<UInt8>) -> UInt16? {
        guard message.count >= 2 else { return nil }
        return UInt16(message[message.startIndex]) << 8 | UInt16(message[message.startIndex + 1])
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= message.count - position else { return nil }
        defer { position += count }
        return message[position..<position + count]
    }

    /// Reads a name that may go on earlier in the message (RFC 1035 §4.1.4), and from there only still earlier: a loop
    /// has no such place.
    mutating func name() -> DNSName? {
        var wire: [UInt8] = []
        var (place, start) = (position, position)
        var end: Int?
        var hops = 0
        while place < message.count {
            let length = Int(message[place])
            switch length >> 6 {
            case 0:
                let next = place + 1 + length
                // Any label but the last leaves room for it.
                let room = DNSName.longest - (length == 0 ? 0 : 1)
                guard next <= message.count, wire.count + 1 + length <= room else { return nil }
                wire += message[place..<next]
                place = next
                guard length == 0 else { continue }
                position = end ?? place
                return DNSName(wire: wire)
            case 3:
                guard place + 1 < message.count else { return nil }
                let target = (length & 0x3F) << 8 | Int(message[place + 1])
                hops += 1
                guard target < start, hops <= Self.mostHops else { return nil }
                end = end ?? place + 2
                (place, start) = (target, target)
            default:
                return nil
            }
        }
        return nil
    }
}
