import AsyncHTTPClient
public import Monitoring

extension FetchRequest {
    /// A GET of a URL as a person writes it: its user and password become an `Authorization` (RFC 7617), and what follows
    /// a `#` is dropped, so that neither is in ``url``.
    ///
    /// - Throws: ``Monitoring/URLProblem``, one clear line without the password.
    public init(reading text: String) throws(URLProblem) {
        var rest = String(text.prefix { $0 != "#" })
        var credentials: String?
        let example = "such as https://example.com/file"
        let elsewhere = URLProblem("only http:// and https:// can be fetched", hint: example)
        if let start = rest.firstRange(of: "://")?.upperBound {
            guard ["http://", "https://"].contains(rest[..<start].lowercased()) else { throw elsewhere }
            let end = rest[start...].firstIndex { "/?".contains($0) } ?? rest.endIndex
            if let at = rest[start..<end].lastIndex(of: "@") {
                guard let plain = rest[start..<at].percentDecoded else {
                    throw URLProblem("user or password have a \"%\" that no two digits follow", hint: "%25")
                }
                credentials = plain
                rest.removeSubrange(start...at)
            }
        }
        guard !rest.isEmpty else { throw URLProblem("the URL is empty", hint: example) }
        guard case .http(var question) = try Question(rest) else { throw elsewhere }
        guard question.hasPlainHost else {
            guard !question.host.contains("%") else { throw URLProblem("no interface in a URL that is fetched") }
            throw URLProblem("a host is written in ASCII", hint: "such as xn--mnchen-3ya.example for münchen.example")
        }
        question.path = question.requestTarget
        self.init(url: Question.http(question).url)
        if let credentials {
            let value = HTTPClient.Authorization(userAndPassword: credentials).headerValue
            headers = [HTTPOptions.Header(name: "Authorization", value: value)]
        }
    }

    /// The request as a question, which says whom it is for, where a redirect leads, and what is left of it there.
    public var question: HTTPQuestion? {
        guard case .http(var question)? = try? Question(url) else { return nil }
        // Whether there is a body is all that a redirect needs to know.
        let bodySent = body.map { _ in "" }
        question.options = HTTPOptions(method: method, headers: headers, bodySent: bodySent, follow: follow)
        return question
    }
}

extension HTTPQuestion {
    /// Whether everybody on the way takes the host for the same: a name in ASCII, or an address without an interface, which
    /// URLs write otherwise than people do (RFC 6874).
    var hasPlainHost: Bool {
        host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    }
}

extension HTTPClient.Authorization {
    /// `USER:PASSWORD`; a user without a password has an empty one.
    init(userAndPassword text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self = .basic(username: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
    }
}

extension StringProtocol {
    /// The text with its `%XX` decoded (RFC 3986 §2.1); nil where they are not whole, or no UTF-8.
    var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")),
                let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(number)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
