import ReachMonitoring

/// A query with one question (RFC 1035 §4.1).
struct DNSQuery: Sendable, Hashable {
    /// The random identifier. It identifies the answer, together with the question and the port.
    var id: UInt16
    var name: DNSName
    /// The number of the type.
    var type: UInt16
    /// The number of the class.
    var recordClass = DNSRecord.internet
    /// Whether the server shall query other servers for the name (RD, RFC 1035 §4.1.1).
    var desiresRecursion = true
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
        // The flags, one question, and an additional record for EDNS.
        for number: UInt16 in [desiresRecursion ? 0x0100 : 0, 1, 0, 0, hasOptions ? 1 : 0] { append(number) }
        message += name.wire
        append(type)
        append(recordClass)
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

extension FixedWidthInteger {
    /// The bytes in big-endian order.
    var inNetworkOrder: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}

extension DNSQuery {
    /// Creates a query for a type of the class IN.
    init(id: UInt16, name: DNSName, type: DNSQuestion.RecordType, hasOptions: Bool = true) {
        self.init(id: id, name: name, type: type.rawValue, hasOptions: hasOptions)
    }

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
        guard let packet = DNSPacket(message), packet.id == id, packet.isResponse, packet.operation == 0 else {
            return .unrelated
        }
        var answer = DNSAnswer(code: packet.code, hasOptions: packet.options != nil)
        // A server that rejects the query may omit the question.
        if packet.questionCount == 0 { return answer.code == 0 || answer.code == 3 ? .unrelated : .answer(answer) }
        guard packet.questionCount == 1, let question = packet.questions.first, question.name == name,
            question.type == type, question.recordClass == recordClass
        else { return .unrelated }
        if packet.isTruncated { return .truncated }
        guard packet.answers.count == Int(packet.answerCount) else { return .malformed }
        for raw in packet.answers.prefix(DNSAnswer.maxRecords) {
            guard let record = DNSRecord(raw) else { return .malformed }
            answer.records.append(record)
        }
        return .answer(answer)
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
