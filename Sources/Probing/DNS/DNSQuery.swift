import Monitoring

/// A query on the wire: one question, recursion desired (RFC 1035 §4.1).
struct DNSQuery: Sendable, Hashable {
    /// What an answer is known by, along with the question and the port; to be random.
    var id: UInt16
    var name: DNSName
    var type: DNSQuestion.RecordType
    /// Whether the query says how long an answer by UDP may be. A server from before 1999 may not like it.
    var hasOptions = true

    /// The longest answer that comes by UDP, in bytes: what passes every path in one piece (DNS Flag Day 2020).
    static let longestDatagram: UInt16 = 1_232

    /// The message, without the length that goes before it on a connection.
    var message: [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(27 + name.wire.count)
        func append(_ number: UInt16) {
            message.append(UInt8(number >> 8))
            message.append(UInt8(truncatingIfNeeded: number))
        }
        append(id)
        // Recursion is desired; one question, and perhaps an additional record.
        for number: UInt16 in [0x0100, 1, 0, 0, hasOptions ? 1 : 0] { append(number) }
        message += name.wire
        append(type.rawValue)
        append(DNSRecord.internet)
        if hasOptions {
            // The pseudo-record of RFC 6891 §6.1.2: the root's name, type 41, the length, no flags, no options.
            message.append(0)
            append(DNSRecord.options)
            append(Self.longestDatagram)
            for _ in 0..<6 { message.append(0) }
        }
        return message
    }
}

extension UInt16 {
    /// The two bytes, the greater first.
    var inNetworkOrder: [UInt8] {
        [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)]
    }
}
