import Fetching
import Monitoring

extension Fetch {
    /// Who must accept a connection before there is any use in asking: the host, or the proxy before it.
    ///
    /// - Throws: ``FetchError/invalid(_:)``.
    package func door(of request: Request) throws(FetchError) -> Question {
        guard let question = try request.unopened().question else { throw .invalid("the URL cannot be asked") }
        do throws(ProxyProblem) {
            if let proxy = try proxies.proxy(for: question) { return .tcp(host: proxy.host, port: proxy.port) }
            return .tcp(host: question.host, port: question.port)
        } catch {
            throw .invalid(error.description)
        }
    }

    /// Sends a request until it is answered well or nothing helps any more.
    ///
    /// - Parameters:
    ///   - sink: where the body of a good answer goes; without one, it is kept.
    ///   - allowsNothing: whether a good answer may be without a body that is kept.
    // Not on the main actor, where the caller may be: a body may be long.
    @concurrent
    func answer(
        to request: Request,
        retries: Int,
        into sink: (any BodySink)?,
        allowsNothing: Bool,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(FetchError) -> Answer {
        let door = try door(of: request)
        var opened = try await request.opened()
        let limit = opened.longestBody
        // One byte more shows that there is more.
        opened.longestBody = limit == .max ? limit : limit + 1
        let retryPolicy = RetryPolicy(
            of: opened.method,
            retries: retries,
            repeatsAnyMethod: policy.repeatsAnyMethod || request.headers["Idempotency-Key"] != nil
        )
        let noted = sink.map { NotedSink(sink: $0, onEvent: onEvent) }
        let error = { @Sendable (outcome: FetchOutcome) -> FetchError? in
            if case .fault = outcome, let problem = noted?.problem { return FetchError(problem) }
            return FetchError(outcome, allowsNothing: allowsNothing, longestBody: limit)
        }
        let result = await fetcher.fetch(
            opened,
            policy: retryPolicy,
            into: noted,
            mayPass: { [policy] in error($0).map(policy.isRetryable) ?? false },
            ready: { tries in
                if waiting.isDue(after: tries) { await wait(for: door, onEvent: onEvent) }
                if !Task.isCancelled { onEvent(.asking(try: tries + 1)) }
            },
            using: generator,
            sleep: { [prober] in try await prober.clock.sleep(for: $0) },
            onRetry: { result, pause in
                guard let error = error(result.outcome) else { return }
                onEvent(.pausing(pause, tries: result.tries, after: error))
            }
        )
        if case .cancelled = result.outcome { throw .cancelled }
        if case .answer(let answer) = result.outcome, error(result.outcome) == nil { return Answer(answer) }
        let last = error(result.outcome) ?? .cancelled
        let couldGoOn = retryPolicy.isRepeatable && noted?.canBeginAnew ?? true && policy.isRetryable(last)
        throw couldGoOn ? .inaccessible(last: last) : last
    }

    private func wait(for door: Question, onEvent: @escaping @Sendable (Event) -> Void) async {
        let place = door.authority
        await withTaskGroup(of: Void.self) { [prober, limit = waiting.limit] group in
            group.addTask {
                await HostWait(question: door, prober: prober).wait { onEvent(.waiting(for: place, because: $0)) }
            }
            if let limit {
                group.addTask { await prober.sleep(until: prober.time + limit) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
