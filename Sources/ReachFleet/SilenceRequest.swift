import ReachBasics
package import ReachMonitoring

/// The request that creates a silence, and the answer to it, by version 2 of Alertmanager's API
/// (https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml).
package struct SilenceRequest: Sendable, Hashable {
    /// The path below the URL of the server.
    package static let path = "/api/v2/silences"
    /// The maximum length of an answer, in bytes.
    package static let maxAnswerLength = 65_536

    /// The JSON that is sent with POST.
    package let body: String

    /// Creates the request for a silence that begins now.
    ///
    /// - Parameters:
    ///   - user: the name of its creator.
    ///   - now: the time since the start of the program.
    package init(_ silence: Silence, by user: String, at now: Duration, wall: WallTime) {
        let matcher = silence.matcher
        body = """
            {"matchers":[{"name":\(matcher.name.jsonString),"value":\(matcher.value.jsonString),\
            "isRegex":false,"isEqual":true}],\
            "startsAt":"\(wall.timestamp(at: now))","endsAt":"\(wall.timestamp(at: now + silence.length))",\
            "createdBy":\(user.jsonString),"comment":\(silence.reason.jsonString)}
            """
    }

    /// Reads the answer. An error is a JSON string, an object with a message, or plain text of a proxy.
    package static func answer(_ body: [UInt8], httpStatus: Int) -> SilenceReport.Answer {
        let isSuccess = (200...299).contains(httpStatus)
        guard let answer = try? JSONTree(body) else {
            // The silence was created, unless it is not Alertmanager that answers.
            let isCutOff = isSuccess && (body.isEmpty || body.first == UInt8(ascii: "{"))
            return isCutOff ? .unknown(QueryFailure.incomplete.text) : .failed(problem(inText: body, httpStatus))
        }
        if isSuccess, let id = answer["silenceID"]?.text?.plainLabel(limit: 100) { return .created(id: id) }
        let text = answer["message"]?.text ?? answer["error"]?.text ?? answer.text
        if let text = text?.plainLabel(limit: 500) { return .failed(text) }
        return .failed(
            isSuccess ? "JSON, but not of Alertmanager – check the URL" : problem(inText: [], httpStatus)
        )
    }

    private static func problem(inText body: [UInt8], _ httpStatus: Int) -> String {
        if httpStatus == 401 { return QueryFailure.unauthorized(status: 401).text }
        if httpStatus == 403 { return "HTTP 403: the credentials do not permit silences" }
        let text = String(decoding: body.prefix(maxAnswerLength), as: UTF8.self)
        if let page = QueryFailure.webPage(text) { return page.text }
        let line = text.split(whereSeparator: \.isNewline).first.flatMap { String($0).plainLabel(limit: 200) }
        return "HTTP \(httpStatus)\(line.map { ": \($0)" } ?? "")"
    }
}
