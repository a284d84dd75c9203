import Monitoring

extension FetchRequest {
    /// What an answer makes of a request.
    enum Redirection {
        /// The answer is the answer.
        case none
        /// This is asked next.
        case next(FetchRequest)
        /// The answer leads elsewhere, but nowhere that can be asked.
        case nowhere(Failure)
    }

    /// Where an answer leads (RFC 9110 §15.4). What only the server is to know is not told to another one.
    ///
    /// - Parameter hops: how many redirects were followed before.
    func redirection(by answer: FetchAnswer, after hops: Int) -> Redirection {
        guard let location = answer[header: "Location"], let question, question.isFollowed(answer.status) else {
            return .none
        }
        guard hops < follow else {
            let count = follow == 1 ? "once" : "\(follow) times"
            let detail = "redirected more than \(count)"
            return .nowhere(Failure(.protocolError, detail: detail, httpStatus: answer.status))
        }
        guard var place = question.redirected(by: answer.status, to: location), place.hasPlainHost else {
            let place = location.withoutCredentials.withoutQuery.prefix(100)
            let detail = "redirected to \"\(place)\", which cannot be asked"
            return .nowhere(Failure(.protocolError, detail: detail, httpStatus: answer.status))
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
        return .next(next)
    }
}

extension String {
    /// A URL without the user and the password that it may have.
    var withoutCredentials: String {
        guard let start = firstRange(of: "//")?.upperBound else { return self }
        let end = self[start...].firstIndex { "/?#".contains($0) } ?? endIndex
        guard let at = self[start..<end].lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: at)...])
    }
}
