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
        let recursionDesired: UInt16 = 0x0100
        let counts: [UInt16] = [1, 0, 0, hasOptions ? 1 : 0]
        var message = ([id, recursionDesired] + counts).flatMap(\.inNetworkOrder)
        message += name.wire + type.rawValue.inNetworkOrder + DNSRecord.internet.inNetworkOrder
        if hasOptions {
            // The pseudo-record of RFC 6891 §6.1.2: the root's name, type 41, the length, no flags, no options.
            message += [0] + UInt16(41).inNetworkOrder + Self.longestDatagram.inNetworkOrder + [0, 0, 0, 0, 0, 0]
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
