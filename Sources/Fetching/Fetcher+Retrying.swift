extension Fetcher {
    /// Sends a request until it is answered or its policy gives up. When the task is cancelled, this returns at once.
    ///
    /// - Parameters:
    ///   - policy: when it is sent again.
    ///   - sink: where the body of a good answer goes; once a part of it cannot be taken back, nothing is sent again.
    ///   - mayPass: whether another try may end better than one that ended so; what the outcome itself says unless given.
    ///   - ready: returns when the request has a chance, before each try; it is told how many came before.
    ///   - generator: the source of the pauses' randomness.
    ///   - sleep: waits, and throws when the task is cancelled.
    ///   - onRetry: is told how the tries so far ended, and after which pause another one follows.
    public nonisolated func fetch(
        _ request: FetchRequest,
        policy: RetryPolicy,
        into sink: (any BodySink)? = nil,
        mayPass: @Sendable (FetchOutcome) -> Bool = \.mayPass,
        ready: @Sendable (_ tries: Int) async -> Void = { _ in },
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0, clock: .suspending) },
        onRetry: @Sendable (FetchResult, Duration) -> Void = { _, _ in }
    ) async -> FetchResult {
        var policy = policy
        var generator = generator
        while true {
            await ready(policy.retriesSoFar)
            guard !Task.isCancelled else { return FetchResult(outcome: .cancelled, tries: policy.retriesSoFar) }
            let outcome = await send(request, into: sink)
            let tries = policy.retriesSoFar + 1
            guard sink?.canBeginAnew ?? true,
                let pause = policy.pause(after: outcome, mayPass: mayPass(outcome), using: &generator)
            else {
                return FetchResult(outcome: outcome, tries: tries)
            }
            onRetry(FetchResult(outcome: outcome, tries: tries), pause)
            do { try await sleep(pause) } catch { return FetchResult(outcome: .cancelled, tries: tries) }
        }
    }
}
