import Monitoring

/// What a server says to a query.
struct DNSAnswer: Sendable, Hashable {
    /// How many records are read. More of one name and type do not occur; the rest is left unread.
    static let mostRecords = 256

    /// The response code; those that a question can expect have names.
    var code: UInt8
    /// The records of the answer section.
    var records: [DNSRecord] = []

    /// The code as tools write it: `NXDOMAIN`.
    var codeName: String {
        DNSQuestion.ResponseCode(rawValue: code)?.name ?? "response code \(code)"
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
