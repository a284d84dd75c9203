import Monitoring

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
