#if Fetch
import NIOCore
import ReachMonitoring

extension BlackboxHTTPProber {
    /// The longest body in bytes after it was decompressed.
    private static let longestDecompressed = 8 * HTTPOptions.maxBodyLength

    /// The coding of the body, regardless of its fields; nil without one.
    var coding: ContentCoding? {
        ContentCoding(rawValue: module.decompression.rawValue)
    }

    /// Decompresses the body of the last response where the module says so, and judges it.
    func decompress(_ response: HTTPResponse, _ failure: Failure?) {
        guard module.decompression != .none else { return judge(response, failure) }
        let limit = min(module.bodyLimit ?? .max, Self.longestDecompressed)
        let (gate, coding) = (probe.lane.gate, coding)
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        // A long body would delay the other probes of this loop.
        Task.detached {
            let (decoded, problem) = response.decoded(as: coding, limit: limit)
            gate.enter {
                let prober = bound.value
                guard !prober.probe.isOver else { return }
                // A body that was cut off is also incomplete after decompression.
                prober.judge(decoded, failure ?? problem, isCompressed: problem != .notCompressed)
            }
        }
    }

    /// Judges the last response.
    ///
    /// - Parameters:
    ///   - failure: Why the body is incomplete; nil if it is complete, or not needed.
    ///   - isCompressed: whether the body has the compression that the module requires, if it requires one.
    func judge(_ response: HTTPResponse, _ failure: Failure?, isBodyRead: Bool = true, isCompressed: Bool = true) {
        record(response, isBodyRead: isBodyRead)
        if isBodyRead { stopwatch.end(.transfer, at: probe.lane.time()) }
        var isSuccess = isExpected(response.status) && isCompressed
        if isSuccess, let missing = missingField(in: response) {
            probe.log(.error, "Missing required header", ["header": missing])
            probe.report.isRegexFailure = true
            isSuccess = false
        }
        let hasBodyPatterns = !module.bodyNot.isEmpty || !module.bodyPatterns.isEmpty
        let isUnread = hasBodyPatterns && (failure != nil || !isBodyRead)
        let headerSearches = (module.headerNot + module.headerPatterns).map { match in
            let name = match.name.lowercased()
            let values = response.fields.filter { $0.name == name }.map { Array($0.value.utf8) }
            return (pattern: match.pattern, texts: values)
        }
        let body = Array(response.body.readableBytesView)
        let bodySearches = isUnread ? [] : (module.bodyNot + module.bodyPatterns).map { (pattern: $0, texts: [body]) }
        guard isSuccess, !headerSearches.isEmpty || hasBodyPatterns else {
            return conclude(response, failure, isSuccess)
        }
        probe.lane.searches.match(headerSearches + bodySearches) { [self] result in
            guard !probe.isOver else { return }
            switch result {
            case .failure(let fault):
                probe.log(.error, "Regular expression failed", ["err": fault.detail])
                isSuccess = false
            case .success(let matches):
                isSuccess =
                    isExpected(headers: matches, of: response) && !isUnread
                    && isExpected(body: Array(matches[headerSearches.count...]))
                if isUnread { probe.log(.error, "Error reading HTTP body") }
            }
            probe.report.isRegexFailure = !isSuccess
            conclude(response, failure, isSuccess)
        }
    }

    private func record(_ response: HTTPResponse, isBodyRead: Bool) {
        facts.status = response.status
        facts.version = response.version
        facts.contentLength = response.contentLength(answering: chain?.question.options.method ?? module.method)
        facts.bodyLength = isBodyRead ? response.length : 0
        facts.isSecure = chain?.question.isSecure ?? false
        probe.peer = peer
        let date = response.fields.first { $0.name == "last-modified" }
        facts.lastModified = date.flatMap { HTTPDate($0.value, now: probe.lane.contexts.now)?.seconds }
        probe.log(.debug, "Received HTTP response", ["status_code": "\(response.status)"])
    }

    private func isExpected(_ status: Int) -> Bool {
        let isExpected = module.status.isEmpty ? 200...299 ~= status : module.status.contains(status)
        if !isExpected { probe.log(.error, "Invalid HTTP response status code", ["status_code": "\(status)"]) }
        return isExpected
    }

    /// The name of a field that the response must have, and lacks.
    private func missingField(in response: HTTPResponse) -> String? {
        (module.headerNot + module.headerPatterns).first { match in
            !match.mayBeMissing && !response.fields.contains { $0.name == match.name.lowercased() }
        }?.name
    }

    private func isExpected(headers matches: [[Bool]], of response: HTTPResponse) -> Bool {
        for (match, results) in zip(module.headerNot, matches) where results.contains(true) {
            probe.log(
                .error,
                "Header matched regular expression",
                ["header": match.name, "regexp": match.pattern.text]
            )
            return false
        }
        for (match, results) in zip(module.headerPatterns, matches.dropFirst(module.headerNot.count)) {
            guard !results.isEmpty, !results.contains(true) else { continue }
            let fields: KeyValuePairs = ["header": match.name, "regexp": match.pattern.text]
            probe.log(.error, "Header did not match regular expression", fields)
            return false
        }
        return true
    }

    private func isExpected(body matches: [[Bool]]) -> Bool {
        for (pattern, results) in zip(module.bodyNot, matches) where results == [true] {
            probe.log(.error, "Body matched regular expression", ["regexp": pattern.text])
            return false
        }
        for (pattern, results) in zip(module.bodyPatterns, matches.dropFirst(module.bodyNot.count))
        where results == [false] {
            probe.log(.error, "Body did not match regular expression", ["regexp": pattern.text])
            return false
        }
        return true
    }

    /// Judges what does not depend on patterns, and ends the probe.
    private func conclude(_ response: HTTPResponse, _ failure: Failure?, _ isExpected: Bool) {
        var isSuccess = isExpected
        if let failure {
            probe.log(.error, "Failed to read HTTP response body", ["err": failure.detail])
            isSuccess = false
        }
        let version = "HTTP/\(response.version)"
        if !module.versions.isEmpty, !module.versions.contains(version) {
            probe.log(.error, "Invalid HTTP version number", ["version": version])
            isSuccess = false
        }
        if facts.isSecure, module.failsIfTLS {
            probe.log(.error, "Final request was over SSL")
            isSuccess = false
        } else if !facts.isSecure, module.failsIfNotTLS, isSuccess {
            probe.log(.error, "Final request was not over SSL")
            isSuccess = false
        }
        finish(isSuccess)
    }
}

extension Failure {
    /// The failure of a body without the compression that a module requires.
    fileprivate static let notCompressed = Failure(.httpBody, detail: "the body is not compressed as required")
}

extension HTTPResponse {
    /// Returns the response with its body decompressed, as far as that is possible, and what prevents the rest.
    ///
    /// - Parameters:
    ///   - coding: the coding of the body; nil for those that the response declares.
    ///   - limit: the maximum number of bytes of the result.
    fileprivate func decoded(as coding: ContentCoding?, limit: Int) -> (HTTPResponse, Failure?) {
        guard let coding else {
            do throws(Failure) { return (try decoded(), nil) } catch { return (self, error) }
        }
        var (response, content) = (self, ContentCoding.Result())
        var problem: Failure?
        do throws(ContentCoding.Problem) {
            try coding.decompress(Array(buffer: body), limit: limit, into: &content)
            if content.isTruncated { problem = Failure(.protocolError, detail: "body exceeds the limit") }
        } catch {
            problem = error == .notCompressed ? .notCompressed : coding.failure(error, httpStatus: nil)
        }
        response.replaceBody(by: content)
        return (response, problem)
    }

    /// The length of the content; -1 if the response does not declare it.
    fileprivate func contentLength(answering method: String) -> Int {
        if method != "HEAD", status == 204 || status == 304 { return 0 }
        let isTransferCoded = fields.contains { $0.name == "transfer-encoding" && $0.value.lowercased() != "identity" }
        guard !isTransferCoded else { return -1 }
        return fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? -1
    }
}
#endif
