import Monitoring
import ReachKit

extension HTTPTransport {
    /// How much of the response to a webhook is kept.
    private static let longestWebhookOutput = 64 * 1_024

    /// Sends a hook's request once, its fields filled in already (``Monitoring/Webhook/filled(with:payload:)``).
    ///
    /// A server that has responded has the request, however the body of its response ends. A redirect is a failure that names
    /// its location: only the settings decide which server gets the request.
    ///
    /// - Parameter timeout: the limit of the whole try.
    nonisolated func send(_ webhook: Webhook, timeout: Duration) async -> HookResult {
        var request = Fetch.Request(
            webhook.url,
            method: webhook.method,
            headers: webhook.headers,
            body: webhook.body.map { .text($0) },
            follow: 0,
            timeout: timeout,
            longestBody: Self.longestWebhookOutput
        )
        request.limitsWholeTry = true
        let clock = SuspendingClock()
        let start = clock.now
        do throws(Fetch.Error) {
            let response = try await send(request)
            return HookResult(response, duration: start.duration(to: clock.now))
        } catch {
            return HookResult(status: HookResult.Status(error), duration: start.duration(to: clock.now))
        }
    }
}

extension HookResult {
    fileprivate init(_ response: Fetch.Response, duration: Duration) {
        var output = String(decoding: response.body, as: UTF8.self)
        if (300...399).contains(response.status), let location = response.headers["Location"] {
            let place = location.withoutCredentials.withoutQuery.prefix(1_000)
            output = "redirected to \(place), which is not followed"
        }
        self.init(
            status: .answered(status: response.status),
            duration: duration,
            output: output,
            retryAfter: response.retryAfter
        )
    }
}

extension HookResult.Status {
    /// The status of a run whose request got no response.
    fileprivate init(_ error: Fetch.Error) {
        self =
            switch error {
            case .timeout: .timedOut
            case .cancelled: .cancelled
            default: error.failure.map { .unanswered($0) } ?? .notStarted(error.description)
            }
    }
}
