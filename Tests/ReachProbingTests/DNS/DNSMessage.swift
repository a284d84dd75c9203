@testable import ReachProbing

/// A builder of DNS answers, independent of the code under test.
struct DNSMessage {
    /// A record of a message.
    struct Record {
        var owner: [UInt8] = [0xC0, 0x0C]
        var type: UInt16
        var recordClass: UInt16 = 1
        var value: [UInt8]
        /// The claimed length; the real one if nil.
        var length: UInt16?
    }

    /// A flaw of a message.
    enum Flaw {
        case anotherIdentifier
        case anotherQuestion
        case isQuery
    }

    /// Returns an answer that rejects EDNS, with the upper bits of the code in its own EDNS record.
    static func rejection(of query: [UInt8], code: UInt16, upper: UInt8, _ hasQuestion: Bool) -> [UInt8] {
        var message = answer(to: query, code: code)
        if !hasQuestion {
            message.removeSubrange(12...)
            message[5] = 0
        }
        message[11] = 1
        return message + [0, 0, 41, 0x04, 0xD0, upper, 0, 0, 0, 0, 0]
    }

    /// Returns an answer to a query, with the query's identifier and question unless there is a flaw.
    static func answer(
        to query: [UInt8],
        code: UInt16 = 0,
        isTruncated: Bool = false,
        records: [Record] = [],
        flaw: Flaw? = nil
    ) -> [UInt8] {
        var question = Array(query[12..<(query[12...].firstIndex(of: 0) ?? 12) + 5])
        if flaw == .anotherQuestion { question[1] ^= 0x01 }
        var message = Array(query[..<2])
        if flaw == .anotherIdentifier { message[1] ^= 0xFF }
        message += [(flaw == .isQuery ? 0x01 : 0x81) | (isTruncated ? 0x02 : 0), 0x80 | UInt8(code)]
        message += [0, 1] + UInt16(records.count).inNetworkOrder + [0, 0, 0, 0] + question
        for record in records {
            message += record.owner + record.type.inNetworkOrder + record.recordClass.inNetworkOrder + [0, 0, 0, 60]
            message += (record.length ?? UInt16(record.value.count)).inNetworkOrder + record.value
        }
        return message
    }
}

extension DNSMessage.Record {
    static func a(_ bytes: UInt8..., owner: [UInt8] = [0xC0, 0x0C]) -> DNSMessage.Record {
        DNSMessage.Record(owner: owner, type: 1, value: bytes)
    }

    static func alias(to name: String, owner: [UInt8] = [0xC0, 0x0C]) -> DNSMessage.Record {
        DNSMessage.Record(owner: owner, type: 5, value: wire(name))
    }
}

/// Returns a name in wire format, for labels without escapes.
func wire(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
}
