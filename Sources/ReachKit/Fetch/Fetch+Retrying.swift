#if Fetch

import HTTPTypes
import ReachMonitoring
import ReachSystem
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Fetch {
    /// The endpoint that a request connects to: its host, or the proxy for it.
    ///
    /// - Throws: ``Error/invalid(_:)``.
    package func endpoint(of request: Request) throws(Error) -> Question {
        guard let question = try request.validated().question else { throw .invalid("the URL cannot be fetched") }
        if let proxy = try transport.proxies.proxy(of: question) { return .tcp(host: proxy.host, port: proxy.port) }
        return .tcp(host: question.host, port: question.port)
    }

    /// Sends a request until the response is good, the retries or the time end, or the client is shut down.
    ///
    /// - Parameters:
    ///   - sink: where the body of a good response goes; nil to keep it in the response.
    ///   - limit: the time limit of the whole fetch.
    ///   - requiresBody: whether a good response without a body in memory is an error.
    // Not on the caller's actor, which may be the main actor: a body may be long.
    @concurrent
    func response(
        to request: Request,
        into sink: (any BodySink)? = nil,
        within limit: Duration?,
        maximumRetries: Int,
        requiresBody: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(Error) -> Response {
        let operation: @Sendable () async -> Result<Response, Error> = {
            await Result { () async throws(Error) in
                try await limitedResponse(
                    to: request,
                    into: sink,
                    within: limit,
                    maximumRetries: maximumRetries,
                    requiresBody: requiresBody,
                    onEvent: onEvent
                )
            }
        }
        let (result, _) = await withLimit({ [transport] in await transport.shutdownSignal.wait() }, operation)
        // The connection may have ended before the task was cancelled. A response that is complete by now counts.
        if case .failure = result, transport.shutdownSignal.isSent { throw .cancelled }
        return try result.get()
    }

    /// Sends a request as above, until the time limit ends.
    private func limitedResponse(
        to request: Request,
        into sink: (any BodySink)?,
        within limit: Duration?,
        maximumRetries: Int,
        requiresBody: Bool,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(Error) -> Response {
        let last = Mutex<Error?>(nil)
        let deadline = limit.map { prober.time + $0 }
        let operation: @Sendable () async throws(Error) -> Response = { () async throws(Error) in
            try await send(
                request,
                into: sink,
                until: deadline,
                maximumRetries: maximumRetries,
                requiresBody: requiresBody,
                onEvent: onEvent,
                onError: { error in last.withLock { $0 = error } }
            )
        }
        guard let deadline else { return try await operation() }
        let (result, isLate) = await withLimit({ await prober.sleep(until: deadline) }) { await Result(operation) }
        // A response that is complete by now counts.
        if isLate, case .failure = result {
            throw Task.isCancelled ? Error.cancelled : .expired(last: last.withLock(\.self))
        }
        return try result.get()
    }

    /// - Parameters:
    ///   - deadline: the end of the fetch by the prober's clock; nil without a limit.
    ///   - onError: called with each error that does not end the fetch.
    @concurrent
    private func send(
        _ request: Request,
        into sink: (any BodySink)?,
        until deadline: Duration?,
        maximumRetries: Int,
        requiresBody: Bool,
        onEvent: @escaping @Sendable (Event) -> Void,
        onError: @escaping @Sendable (Error) -> Void
    ) async throws(Error) -> Response {
        let endpoint = try endpoint(of: request)
        var request = try request.validated()
        request.body = try await request.body?.opened()
        let limit = request.maximumBodySize
        let requiresBody = requiresBody && request.method != "HEAD"
        var state = RetryState(of: request, maximumRetries: maximumRetries, policy: policy)
        var generator = generator
        // The URL of the last response, after redirects.
        let source = Mutex("")
        while true {
            if waiting.isDue(after: state.count) { await wait(for: endpoint, onEvent: onEvent, onError: onError) }
            guard !Task.isCancelled else { throw .cancelled }
            let number = state.count + 1
            onEvent(.sending(try: number))
            let error: Error
            do throws(Error) {
                try await checkNetwork(to: endpoint)
                let response = try await transport.send(
                    request,
                    into: sink,
                    // Another kept connection can be dead for the same reason, such as a new route.
                    usesKeptConnections: state.count == 0,
                    onEvent: onEvent,
                    onResponse: { url in source.withLock { $0 = url } }
                )
                guard let problem = response.error(requiresBody: requiresBody, maximumBodySize: limit) else {
                    return response
                }
                error = problem
            } catch .cancelled {
                throw .cancelled
            } catch let failed {
                error = failed
            }
            if request.resumption != nil, error.refusesResumption, sink?.canRestart == true {
                request.resumption = nil
                continue
            }
            request.resumption = resumption(of: request, from: source.withLock(\.self), after: error, into: sink)
            let canRepeat = sink?.canRestart ?? true || request.resumption != nil
            var decision = canRepeat ? Policy.Decision.standard : .fail
            if canRepeat, state.hasRetry, let retrier = policy.retrier {
                var next = request
                decision = await retrier(error, &next, number)
                request.headers = try next.validated().headers
            }
            guard state.allowsRetry(after: error, decision) else { throw error }
            if let delay = state.excessiveDelay(after: error, decision, within: deadline.map { $0 - prober.time }) {
                throw .retryAfter(date().addingTimeInterval(delay / .seconds(1)))
            }
            guard let pause = state.pause(after: error, decision, using: &generator) else {
                throw .retriesExhausted(last: error, tries: number)
            }
            if case .retryAfter = decision, let deadline, pause > deadline - prober.time { throw .expired(last: error) }
            onError(error)
            onEvent(.pausing(pause, tries: number, after: error))
            do { try await prober.clock.sleep(for: pause) } catch { throw .cancelled }
        }
    }

    /// Throws if the only network to the endpoint is one that is not allowed.
    private func checkNetwork(to endpoint: Question) async throws(Error) {
        guard allowCellular || findLink(endpoint) != .cellular else { throw .cellularNotAllowed }
        guard !allowExpensive || !allowConstrained else { return }
        let path = await prober.networkPath()
        guard allowExpensive || path.isExpensive != true else { throw .expensiveNotAllowed }
        guard allowConstrained || path.isConstrained != true else { throw .constrainedNotAllowed }
    }

    /// Returns how the next try continues the body.
    ///
    /// - Parameter url: the URL of the response, after redirects.
    private func resumption(
        of request: Request,
        from url: String,
        after error: Error,
        into sink: (any BodySink)?
    ) -> Resumption? {
        guard request.method == "GET", request.headers[.range] == nil, !request.isDecompressed,
            let received = sink?.receivedBytes
        else { return nil }
        // Other errors change nothing of what was received.
        guard case .incomplete(let response) = error else { return request.resumption }
        // This response is not of the body that was received.
        guard !response.ending.refusesResumption else { return nil }
        let now = Int64(date().timeIntervalSince1970)
        return Resumption(of: response, from: url, at: received, after: request.resumption, at: now)
    }

    private func wait(
        for endpoint: Question,
        onEvent: @escaping @Sendable (Event) -> Void,
        onError: @escaping @Sendable (Error) -> Void
    ) async {
        let wait: @Sendable () async -> Void = { [prober] in
            await HostWait(question: endpoint, prober: prober).wait {
                onError($0)
                onEvent(.waiting(for: endpoint.authority, because: $0.description))
            }
        }
        guard let limit = waiting.limit else { return await wait() }
        _ = await withLimit({ [prober] in await prober.sleep(until: prober.time + limit) }, wait)
    }
}

/// The retries of one request: whether an error is followed by another try, and after which pause. Only transient
/// errors are retried, and only requests that may be sent twice. The pauses grow.
///
/// It is a pure state machine without clock or network: it maps the error of a try to the pause before the next one.
struct RetryState: Sendable {
    private let maximumRetries: Int
    private let policy: Fetch.Policy
    private let isRepeatable: Bool
    private var backoff: Backoff
    /// The error before the last retry, if the policy's retrier decided on it.
    private var retriedError: String?
    /// The longest pause: a century. The system's clocks cannot measure a multiple of it in nanoseconds.
    private static let longestPause = Duration.seconds(100 * 365 * 86_400)

    /// The state before the first try.
    ///
    /// - Parameters:
    ///   - request: the request. One whose method is not idempotent (RFC 9110 §9.2.2) is not sent again, unless it has
    ///     an `Idempotency-Key` or the policy repeats any method.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - policy: which errors are retried, and after which pauses.
    init(
        of request: Fetch.Request,
        maximumRetries: Int = Fetch.defaultMaximumRetries,
        policy: Fetch.Policy = Fetch.Policy()
    ) {
        self.maximumRetries = maximumRetries
        self.policy = policy
        isRepeatable = policy.repeatsAnyMethod || request.isRepeatable
        backoff = policy.backoff
    }

    /// The number of retries so far.
    var count: Int { backoff.tries }

    /// Whether there is a retry left.
    var hasRetry: Bool { count < maximumRetries }

    /// Whether the request may be sent again after this error, regardless of the number of retries.
    ///
    /// Without a retry left, the retrier is not asked: the same error as before counts as its last decision.
    ///
    /// - Parameter decision: the decision of the policy's retrier.
    func allowsRetry(after error: Fetch.Error, _ decision: Fetch.Policy.Decision = .standard) -> Bool {
        switch decision {
        case .standard:
            isRepeatable && policy.isRetryable(error) || !hasRetry && retriedError == error.description
        case .retry, .retryAfter: true
        case .fail: false
        }
    }

    /// The delay that the server requests (`Retry-After`, RFC 9110 §10.2.3), if there is a retry left and the fetch
    /// does not wait that long.
    ///
    /// - Parameter limit: the rest of the fetch's time limit; nil without one.
    func excessiveDelay(
        after error: Fetch.Error,
        _ decision: Fetch.Policy.Decision = .standard,
        within limit: Duration? = nil
    ) -> Duration? {
        if case .retryAfter = decision { return nil }
        let longest = min(policy.maximumRetryAfter, limit ?? policy.maximumRetryAfter)
        guard hasRetry, let delay = error.delay, delay > longest else { return nil }
        return delay
    }

    /// Returns the pause before the next try; nil when there is no next try.
    ///
    /// The pause is random below a limit that doubles, and not shorter than `Retry-After`, unless the policy's retrier
    /// decides on it.
    mutating func pause(
        after error: Fetch.Error,
        _ decision: Fetch.Policy.Decision = .standard,
        using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        guard hasRetry, allowsRetry(after: error, decision) else { return nil }
        let pause = max(backoff.pause(using: &generator), error.delay ?? .zero)
        retriedError = decision == .standard ? nil : error.description
        if case .retryAfter(let chosen) = decision { return min(max(.zero, chosen), Self.longestPause) }
        return min(pause, Self.longestPause)
    }
}

/// How the next try continues a body that was cut off: with the rest, if the server confirms that it belongs to the
/// first part (RFC 9110 §13.1.5, §14.2 and §15.3.7).
struct Resumption: Sendable, Hashable {
    /// The number of bytes that were received.
    let offset: Int64
    /// The URL that the first part is from, after redirects. The rest is requested from no other URL.
    let url: String
    /// The validator of the first response, a strong one: an entity tag, or the date of the last change.
    private let validator: String
    /// The length of the whole body; nil if it is unknown.
    private let length: Int64?

    /// Continues the body of a response; nil if it must be fetched from its beginning.
    ///
    /// - Parameters:
    ///   - response: the response whose body ended early: the first one, or one that continued it.
    ///   - url: the URL of the response, after redirects.
    ///   - previous: the resumption of its request.
    init?(
        of response: Fetch.Response,
        from url: String,
        at offset: Int64,
        after previous: Resumption?,
        at now: Int64
    ) {
        guard offset > 0 else { return nil }
        self.offset = offset
        if response.status == 206, let previous {
            (self.url, validator) = (previous.url, previous.validator)
            length = previous.length ?? previous.total(in: response.headers)
            return
        }
        guard response.status == 200, let validator = response.headers.strongValidator(at: now) else { return nil }
        (self.url, self.validator) = (url, validator)
        length = response.headers[.contentLength].flatMap { Int64($0) }
    }

    /// The header fields of the request.
    var fields: [(name: String, value: String)] { [("Range", "bytes=\(offset)-"), ("If-Range", validator)] }

    /// Returns the number of bytes of the rest, if the content of a response with the status 206 is all of the rest;
    /// nil for any other part, or without the validator that was sent.
    func restLength(in fields: HTTPFields) -> Int64? {
        guard let total = total(in: fields), isConfirmed(by: fields) else { return nil }
        let count = total - offset
        return fields[values: .contentLength].allSatisfy { Int64($0) == count } ? count : nil
    }

    /// Whether a response repeats the validator. With a date, it has no entity tag either, as the first response.
    private func isConfirmed(by fields: HTTPFields) -> Bool {
        let tags = fields[values: .eTag]
        if validator.hasPrefix("\"") { return tags == [validator] }
        return tags.isEmpty && fields[values: .lastModified] == [validator]
    }

    /// The length of the whole body according to a response whose content is the rest: `bytes 100-199/200`.
    private func total(in fields: HTTPFields) -> Int64? {
        guard let text = fields[.contentRange], let match = text.wholeMatch(of: /bytes +(\d+)-(\d+)\/(\d+)/),
            Int64(match.1) == offset, let last = Int64(match.2), let total = Int64(match.3),
            last >= offset, last == total - 1, length == nil || length == total
        else { return nil }
        return total
    }
}

extension HTTPFields {
    /// The entity tag, or the date of the last change where the clock shows that nothing changed in the same second
    /// (RFC 9110 §8.8.2.2); nil if both are weak, missing or there are several.
    fileprivate func strongValidator(at now: Int64) -> String? {
        let tags = self[values: .eTag]
        if let tag = tags.first { return tags.count == 1 && tag.wholeMatch(of: /"[^"]*"/) != nil ? tag : nil }
        let changes = self[values: .lastModified]
        guard changes.count == 1, let text = changes.first, let date = self[.date],
            let change = HTTPDate(text, now: now), let sent = HTTPDate(date, now: now),
            sent.seconds - change.seconds >= 60
        else { return nil }
        return text
    }
}

#endif
