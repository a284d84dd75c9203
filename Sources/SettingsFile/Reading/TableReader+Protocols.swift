import Monitoring

extension TableReader {
    /// Reports an answer that is never looked at.
    func reportAnswer(under code: DNSQuestion.ResponseCode) {
        report(
            "cannot be combined with rcode \(code.name), which has no answer",
            hint: "remove one of the two",
            about: "answer"
        )
    }

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
}
