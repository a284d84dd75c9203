import Monitoring

extension Fetch.Request {
    /// The request that follows a redirect (RFC 9110 §15.4); nil where the response is none that is followed. Another origin
    /// gets no header field.
    ///
    /// - Parameter hops: how many redirects were followed before.
    /// - Throws: ``Fetch/Error/network(_:)`` with the response's status where the redirect cannot be followed.
    func redirected(by response: Fetch.Response, after hops: Int) throws(Fetch.Error) -> Self? {
        guard let location = response.headers["Location"], let question, question.isFollowed(response.status) else {
            return nil
        }
        guard hops < follow else {
            let count = follow == 1 ? "once" : "\(follow) times"
            let detail = "redirected more than \(count)"
            throw .network(Failure(.protocolError, detail: detail, httpStatus: response.status))
        }
        guard var place = question.redirected(by: response.status, to: location), place.hasPlainHost else {
            let place = location.withoutCredentials.withoutQuery.prefix(100)
            let detail = "redirected to \"\(place)\", which cannot be asked"
            throw .network(Failure(.protocolError, detail: detail, httpStatus: response.status))
        }
        place.path = place.requestTarget
        var next = self
        next.url = Question.http(place).url
        next.method = place.options.method
        next.headers = place.options.headers
        if body != nil, place.options.bodySent == nil {
            next.body = nil
            next.headers.removeAll { $0.name.lowercased() == "content-type" }
        }
        return next
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
