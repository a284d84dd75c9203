#if Fetch
import Monitoring
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

    /// Sends a request until the response is good, or the retries or the time end.
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
        guard let limit else {
            return try await send(
                request,
                into: sink,
                maximumRetries: maximumRetries,
                requiresBody: requiresBody,
                onEvent: onEvent,
                onError: { _ in }
            )
        }
        let last = Mutex<Error?>(nil)
        let deadline = prober.time + limit
        let keepError: @Sendable (Error) -> Void = { error in last.withLock { $0 = error } }
        let result = await withTaskGroup(of: Result<Response, Error>?.self) { group in
            group.addTask {
                await Result { () async throws(Error) in
                    try await send(
                        request,
                        into: sink,
                        maximumRetries: maximumRetries,
                        requiresBody: requiresBody,
                        onEvent: onEvent,
                        onError: keepError
                    )
                }
            }
            group.addTask {
                await prober.sleep(until: deadline)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // A response that is complete by now counts.
            if case .success(let response)? = await group.next() ?? nil { return Result.success(response) }
            return Result.failure(Task.isCancelled ? .cancelled : .expired(last: last.withLock(\.self)))
        }
        return try result.get()
    }

    /// - Parameter onError: called with each error that does not end the fetch.
    @concurrent
    private func send(
        _ request: Request,
        into sink: (any BodySink)?,
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
        // One byte above the limit shows that the body is too long.
        request.maximumBodySize = limit == .max ? limit : limit + 1
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
                guard allowCellular || findLink(endpoint) != .cellular else { throw .cellularNotAllowed }
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
            guard canRepeat, state.allowsRetry(after: error) else { throw error }
            if let delay = state.excessiveDelay(after: error) {
                throw .retryAfter(date().addingTimeInterval(delay / .seconds(1)))
            }
            guard let pause = state.pause(after: error, using: &generator) else { throw .retriesExhausted(last: error) }
            onError(error)
            onEvent(.pausing(pause, tries: number, after: error))
            do { try await prober.clock.sleep(for: pause) } catch { throw .cancelled }
        }
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
        await withTaskGroup(of: Void.self) { [prober, limit = waiting.limit] group in
            group.addTask {
                await HostWait(question: endpoint, prober: prober).wait {
                    onError($0)
                    onEvent(.waiting(for: endpoint.authority, because: $0.description))
                }
            }
            if let limit {
                group.addTask { await prober.sleep(until: prober.time + limit) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
#endif
