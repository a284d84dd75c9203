import Monitoring

/// A query with one question and recursion desired (RFC 1035 §4.1).
struct DNSQuery: Sendable, Hashable {
    /// The random identifier. It identifies the answer, together with the question and the port.
    var id: UInt16
    var name: DNSName
    var type: DNSQuestion.RecordType
    /// Whether the query has an EDNS record with the maximum length of a UDP answer. Servers from before 1999 may
    /// reject it.
    var hasOptions = true

    /// The maximum length of a UDP answer in bytes, which passes every path unfragmented (DNS Flag Day 2020).
    static let maxDatagramLength: UInt16 = 1_232

    /// The message, without the length prefix of TCP.
    var message: [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(27 + name.wire.count)
        func append(_ number: UInt16) {
            message.append(UInt8(number >> 8))
            message.append(UInt8(truncatingIfNeeded: number))
        }
        append(id)
        // Recursion desired; one question, and an additional record for EDNS.
        for number: UInt16 in [0x0100, 1, 0, 0, hasOptions ? 1 : 0] { append(number) }
        message += name.wire
        append(type.rawValue)
        append(DNSRecord.internet)
        if hasOptions {
            // The pseudo-record of RFC 6891 §6.1.2: the root name, type 41, the length, no flags, no options.
            message.append(0)
            append(DNSRecord.options)
            append(Self.maxDatagramLength)
            for _ in 0..<6 { message.append(0) }
        }
        return message
    }
}

extension UInt16 {
    /// The two bytes in big-endian order.
    var inNetworkOrder: [UInt8] {
        [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)]
    }
}
