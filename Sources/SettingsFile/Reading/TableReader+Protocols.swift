import Monitoring

extension TableReader {
    /// Takes the name of a DNS response code, in letters of either case.
    mutating func responseCode(_ key: String) -> DNSQuestion.ResponseCode? {
        guard let text = text(key) else { return nil }
        let codes = DNSQuestion.ResponseCode.allCases
        if let code = codes.first(where: { $0.name == text.uppercased() }) { return code }
        let names = codes.map(\.name)
        let near = text.nearest(of: names).map { "did you mean \"\($0)\"?" }
        report("unknown \(key) \(text.quoted)", hint: near ?? "one of \(names.joined(separator: ", "))", about: key)
        return nil
    }

    /// Takes what is sent in one datagram: 65,507 bytes are the most that IPv4 carries.
    mutating func datagram(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        let (count, most) = (text.utf8.count, 65_507)
        guard count <= most else {
            report("\(count) bytes are more than a datagram holds", hint: "at most \(most)", about: key)
            return nil
        }
        return text
    }
}
