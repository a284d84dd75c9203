import ReachMonitoring

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

extension DNSQuery {
    /// The relation of a message to a query.
    enum ParseResult: Sendable, Hashable {
        /// The answer.
        case answer(DNSAnswer)
        /// A truncated answer. The query must be sent again by TCP.
        case truncated
        /// A malformed answer.
        case malformed
        /// Not an answer to this query.
        case unrelated
    }

    /// Parses a message received on the socket of this query.
    func parse(_ message: [UInt8]) -> ParseResult {
        var reader = DNSReader(message)
        guard
            let id = reader.readUInt16(), let flags = reader.readUInt16(), let questions = reader.readUInt16(),
            let answers = reader.readUInt16(), let authorities = reader.readUInt16(),
            let additions = reader.readUInt16(),
            id == self.id, flags & Flags.isResponse != 0, flags & Flags.operation == 0
        else { return .unrelated }
        let code = flags & Flags.code
        // A server that rejects the query may omit the question.
        if questions == 0 {
            var answer = DNSAnswer(code: code)
            answer.addOptions(in: Int(answers) + Int(authorities) + Int(additions), of: reader)
            return answer.code == 0 || answer.code == 3 ? .unrelated : .answer(answer)
        }
        guard
            questions == 1, reader.readName() == name, reader.readUInt16() == type.rawValue,
            reader.readUInt16() == DNSRecord.internet
        else { return .unrelated }
        if flags & Flags.isTruncated != 0 { return .truncated }
        var answer = DNSAnswer(code: code)
        for _ in 0..<min(Int(answers), DNSAnswer.maxRecords) {
            guard let record = DNSRecord(from: &reader) else { return .malformed }
            answer.records.append(record)
        }
        if answers <= DNSAnswer.maxRecords {
            answer.addOptions(in: Int(authorities) + Int(additions), of: reader)
        }
        return .answer(answer)
    }

    /// The flags in the second word of a message (RFC 1035 §4.1.1).
    private enum Flags {
        static let isResponse: UInt16 = 0x8000
        static let operation: UInt16 = 0x7800
        static let isTruncated: UInt16 = 0x0200
        static let code: UInt16 = 0x000F
    }
}

extension DNSAnswer {
    /// Adds the upper bits of the response code from the OPT pseudo-record (RFC 6891 §6.1.3), if there is one. Other records
    /// after the answers are skipped without validation.
    fileprivate mutating func addOptions(in count: Int, of reader: DNSReader) {
        var reader = reader
        for _ in 0..<min(count, Self.maxRecords) {
            guard
                reader.readName() != nil, let type = reader.readUInt16(), reader.readUInt16() != nil,
                let bits = reader.readUInt32(),
                let length = reader.readUInt16(), reader.readBytes(Int(length)) != nil
            else { return }
            guard type == DNSRecord.options else { continue }
            hasOptions = true
            code |= UInt16(bits >> 24) << 4
            return
        }
    }
}

/// The answer of a server to a query.
struct DNSAnswer: Sendable, Hashable {
    /// The maximum number of records to parse, more than a message has room for addresses.
    static let maxRecords = 4_096

    /// The response code for an unsupported version of EDNS (RFC 6891 §9).
    static let badVersion: UInt16 = 16

    /// The response code, including the upper bits from EDNS (RFC 6891 §6.1.3).
    var code: UInt16
    /// The records of the answer section.
    var records: [DNSRecord] = []
    /// Whether the answer has an EDNS record, which every server adds that supports EDNS (RFC 6891 §6.1.1).
    var hasOptions = false

    /// Whether the server may have rejected the EDNS record of the query rather than the question: by FORMERR, NOTIMP or
    /// SERVFAIL if it does not know EDNS (RFC 2671 §5.3), or by BADVERS. The query is then sent again without one (RFC 6891 §7).
    var rejectsOptions: Bool {
        switch responseCode {
        case .formerr, .notimp: true
        case .servfail: !hasOptions
        default: code == Self.badVersion
        }
    }

    /// The response code, if it is one that the settings can expect.
    var responseCode: DNSQuestion.ResponseCode? {
        UInt8(exactly: code).flatMap(DNSQuestion.ResponseCode.init(rawValue:))
    }

    /// The name of the response code: `NXDOMAIN`.
    var codeName: String {
        responseCode?.name ?? (code == Self.badVersion ? "BADVERS" : "response code \(code)")
    }

    /// Returns the records of a type for a name, following aliases (RFC 1034 §3.6.2). Records of another class than
    /// IN, the class of every query, are ignored.
    func records(of type: DNSQuestion.RecordType, at name: DNSName) -> [DNSRecord] {
        let records = records.filter { $0.recordClass == DNSRecord.internet }
        var name = name
        // The limit ends long chains and loops of aliases.
        for _ in 0..<16 {
            let found = records.filter { $0.type == type.rawValue && $0.name == name }
            guard found.isEmpty else { return found }
            let alias = records.lazy.filter { $0.type == DNSQuestion.RecordType.cname.rawValue && $0.name == name }
            guard case .name(let next) = alias.first?.value else { return [] }
            name = next
        }
        return []
    }
}
