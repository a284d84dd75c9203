#if Fetch
import HTTPTypes
import Monitoring
import Probing

extension Fetch.Request {
    /// The request that follows a redirect (RFC 9110 §15.4); nil where the response is not a redirect that is followed.
    /// A request to another origin has no header fields.
    ///
    /// - Parameter hops: the number of redirects that were followed before.
    /// - Throws: ``Fetch/Error/network(_:)`` with the response's status where the redirect cannot be followed.
    func redirected(by response: Fetch.Response, after hops: Int) throws(Fetch.Error) -> Self? {
        guard let location = response.headers["Location"], let question, question.isFollowed(response.status) else {
            return nil
        }
        guard hops < redirectLimit else {
            let count = redirectLimit == 1 ? "once" : "\(redirectLimit) times"
            let detail = "redirected more than \(count)"
            throw .network(Fetch.TransportError(.protocolError, detail: detail, httpStatus: response.status))
        }
        guard var target = question.redirected(by: response.status, to: location), target.hasPlainHost else {
            let url = location.withoutCredentials.withoutQuery.prefix(100)
            let detail = "redirected to \"\(url)\", which cannot be fetched"
            throw .network(Fetch.TransportError(.protocolError, detail: detail, httpStatus: response.status))
        }
        target.path = target.requestTarget
        var next = self
        next.url = Question.http(target).url
        next.method = target.options.method
        next.headers = HTTPFields(target.options.headers)
        if body != nil, target.options.bodySent == nil {
            next.body = nil
            next.headers[.contentType] = nil
        }
        return next
    }
}

extension Fetch.Request {
    /// The request with the cookies for it.
    func adding(_ cookies: CookieJar) -> Self {
        guard let question else { return self }
        let next = cookies.adding(to: question)
        guard next != question else { return self }
        var request = self
        request.headers = HTTPFields(next.options.headers)
        return request
    }
}

extension String {
    /// The URL without user and password.
    package var withoutCredentials: String {
        guard let start = firstRange(of: "//")?.upperBound else { return self }
        let end = self[start...].firstIndex { "/?#".contains($0) } ?? endIndex
        guard let at = self[start..<end].lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: at)...])
    }
}
#endif
