import Monitoring

/// What a server says to a query.
struct DNSAnswer: Sendable, Hashable {
    /// How many records are read. More of one name and type do not occur; the rest is left unread.
    static let mostRecords = 256

    /// The code of a server that does not know the version of the extensions (RFC 6891 §9).
    static let badVersion: UInt16 = 16

    /// The response code, with the part that the extensions add (RFC 6891 §6.1.3); those that a question can expect have names.
    var code: UInt16
    /// The records of the answer section.
    var records: [DNSRecord] = []

    /// The code, where it is one that a question can expect.
    var responseCode: DNSQuestion.ResponseCode? {
        UInt8(exactly: code).flatMap(DNSQuestion.ResponseCode.init(rawValue:))
    }

    /// The code as tools write it: `NXDOMAIN`.
    var codeName: String {
        responseCode?.name ?? (code == Self.badVersion ? "BADVERS" : "response code \(code)")
    }

    /// The records of a type that a name has, itself or under the names that it is an alias for (RFC 1034 §3.6.2).
    func records(of type: DNSQuestion.RecordType, at name: DNSName) -> [DNSRecord] {
        var name = name
        // More aliases in a row, or aliases in a circle, lead nowhere.
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
