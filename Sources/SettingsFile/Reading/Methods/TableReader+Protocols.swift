import Monitoring

extension TableReader {
    /// Reads the URL of a target.
    mutating func question(_ key: String) -> Question? {
        guard has(key) else {
            _ = value(key)
            reportMissing(key, hint: "such as url = \"icmp://192.0.2.1\" or url = \"tcp://nas.local:445\"")
            return nil
        }
        guard let url = text(key) else { return nil }
        do {
            return try Question(url)
        } catch {
            report(error.message, hint: error.hint, about: key)
            return nil
        }
    }

    /// Reports an expected answer that is never checked, because replies with this response code have none.
    func reportAnswer(under code: DNSQuestion.ResponseCode) {
        report(
            "cannot be combined with rcode \(code.name), which has no answer",
            hint: "remove one of the two",
            about: "answer"
        )
    }

    /// Reads the name of a DNS response code, ignoring case.
    mutating func responseCode(_ key: String) -> DNSQuestion.ResponseCode? {
        guard let text = text(key) else { return nil }
        let codes = DNSQuestion.ResponseCode.allCases
        if let code = codes.first(where: { $0.name == text.uppercased() }) { return code }
        let names = codes.map(\.name)
        let suggestion = text.nearest(of: names).map { "did you mean \"\($0)\"?" }
        report(
            "unknown \(key) \(text.quoted)",
            hint: suggestion ?? "one of \(names.joined(separator: ", "))",
            about: key
        )
        return nil
    }
}
