public import Monitoring

extension Fetcher {
    /// The most of an answer to a webhook that is kept.
    private static let longestBody = 64 * 1_024

    /// Sends a hook's request once, its fields filled in already (``Monitoring/Webhook/filled(with:payload:)``).
    ///
    /// A server that has answered has the request, whatever becomes of the rest of its answer. A redirect is a failure
    /// that says where it leads: nobody but the settings decides who is told.
    ///
    /// - Parameter timeout: how long it may take.
    public nonisolated func send(_ webhook: Webhook, timeout: Duration) async -> HookResult {
        let clock = SuspendingClock()
        let start = clock.now
        let request = FetchRequest(
            url: webhook.url,
            method: webhook.method,
            headers: webhook.headers,
            body: webhook.body.map { RequestBody($0) },
            timeout: timeout,
            longestBody: Self.longestBody
        )
        let outcome = await send(request)
        return HookResult(outcome, duration: start.duration(to: clock.now))
    }
}

extension HookResult {
    /// What the outcome of a request means for the run that sent it.
    init(_ outcome: FetchOutcome, duration: Duration) {
        switch outcome {
        case .answer(let answer):
            self.init(
                status: .answered(status: answer.status),
                duration: duration,
                output: answer.redirection ?? String(decoding: answer.body, as: UTF8.self),
                retryAfter: answer.retryAfter
            )
        case .timeout: self.init(status: .timedOut, duration: duration)
        case .failure(let failure): self.init(status: .unanswered(failure), duration: duration)
        case .fault(let fault): self.init(status: .notStarted(fault.summary), duration: duration)
        case .cancelled: self.init(status: .cancelled, duration: duration)
        }
    }
}

extension FetchAnswer {
    /// Where a redirect leads, in words; nil for other answers.
    fileprivate var redirection: String? {
        guard (300...399).contains(status), let location = self[header: "Location"] else { return nil }
        return "redirected to \(location.withoutCredentials.withoutQuery.prefix(1_000)), which is not followed"
    }
}
