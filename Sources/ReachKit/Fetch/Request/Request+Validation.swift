#if Fetch
import AsyncHTTPClient
import HTTPTypes
import Monitoring

extension Fetch.Request {
    /// The request as the transport sends it: the URL normalized, its user and password moved to an `Authorization`,
    /// method and fields checked. Validating a valid request changes nothing.
    ///
    /// - Throws: ``Fetch/Error/invalid(_:)``.
    package func validated() throws(Fetch.Error) -> Self {
        var request = self
        do throws(URLProblem) {
            let (url, authorization) = try Self.parse(url)
            request.url = url
            // A field of the request replaces the one from the URL.
            if let authorization, headers[.authorization] == nil {
                request.headers = HTTPFields([HTTPField(name: .authorization, value: authorization)] + headers)
            }
        } catch {
            throw .invalid("the URL: \(error)")
        }
        guard method.isHTTPToken else { throw .invalid("invalid method \"\(method)\" – such as GET, PUT, DELETE") }
        if let invalidHeader {
            // The value is not part of the message, because it may be a secret.
            throw .invalid("invalid header field \"\(invalidHeader)\": bad name, or a control character in its value")
        }
        request.redirectLimit = max(0, redirectLimit)
        request.timeout = max(.zero, timeout)
        request.maximumBodySize = max(0, maximumBodySize)
        return request
    }

    /// Parses a URL as people write it, with user, password and fragment.
    ///
    /// - Returns: The URL without user, password and fragment, and the value of the `Authorization` for user and
    ///   password (RFC 7617).
    /// - Throws: ``Monitoring/URLProblem``, one line that does not contain the password.
    static func parse(_ text: String) throws(URLProblem) -> (url: String, authorization: String?) {
        var rest = String(text.prefix { $0 != "#" })
        var authorization: String?
        let example = "such as https://example.com/file"
        let elsewhere = URLProblem("only http:// and https:// can be fetched", hint: example)
        if let start = rest.firstRange(of: "://")?.upperBound {
            guard ["http://", "https://"].contains(rest[..<start].lowercased()) else { throw elsewhere }
            let end = rest[start...].firstIndex { "/?".contains($0) } ?? rest.endIndex
            if let at = rest[start..<end].lastIndex(of: "@") {
                guard let plain = rest[start..<at].percentDecoded else {
                    throw URLProblem("invalid percent-encoding in the user or password", hint: "%25 for %")
                }
                authorization = HTTPClient.Authorization(userAndPassword: plain).headerValue
                rest.removeSubrange(start...at)
            }
        }
        guard !rest.isEmpty else { throw URLProblem("the URL is empty", hint: example) }
        guard case .http(var question) = try Question(rest) else { throw elsewhere }
        guard question.hasPlainHost else { throw URLProblem("an interface in the URL is not supported") }
        question.path = question.requestTarget
        return (Question.http(question).url, authorization)
    }

    /// The request as an HTTP question, which has the host, the port and the rules for redirects.
    var question: HTTPQuestion? {
        guard case .http(var question)? = try? Question(url) else { return nil }
        // For a redirect, it matters only whether there is a body.
        let bodySent = body.map { _ in "" }
        question.options = HTTPOptions(
            method: method,
            headers: headers.options,
            bodySent: bodySent,
            follow: redirectLimit
        )
        return question
    }
}

extension HTTPQuestion {
    /// Whether every server on the way parses the host in the same way: a name in ASCII, or an address without a zone,
    /// which has another syntax in URLs (RFC 6874).
    var hasPlainHost: Bool {
        host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    }
}

extension HTTPClient.Authorization {
    /// Parses `USER:PASSWORD`; without a colon, the password is empty.
    init(userAndPassword text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self = .basic(username: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
    }
}

extension StringProtocol {
    /// Whether the text may be a field's value: no control characters but tabs.
    var isFieldValue: Bool {
        utf8.allSatisfy { $0 == UInt8(ascii: "\t") || $0 >= 0x20 && $0 != 0x7F }
    }
}
#endif
