import ReachBasics
import ReachKit
import ReachMonitoring

extension HTTPTransport {
    /// The maximum number of response bytes kept as the output of a run.
    private static let maxWebhookOutput = 64 * 1_024

    /// Sends the request of a hook once. Its fields are filled in already (``ReachMonitoring/Webhook/filled(with:payload:)``).
    ///
    /// A response means that the server has received the request, even if the body of the response is incomplete. A redirect
    /// is a failure that names its location: only the settings decide which server receives the request.
    ///
    /// - Parameter timeout: The timeout of the whole attempt.
    nonisolated func send(_ webhook: Webhook, timeout: Duration) async -> HookResult {
        var request = Fetch.Request(
            webhook.url,
            method: webhook.method,
            headers: HTTPFields(webhook.headers),
            body: webhook.body.map { .text($0) },
            redirectLimit: 0,
            timeout: timeout,
            maximumBodySize: Self.maxWebhookOutput
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
        if (300...399).contains(response.status), let location = response.headers[values: .location].first {
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
    /// The status of a run whose request received no response.
    fileprivate init(_ error: Fetch.Error) {
        self =
            switch error {
            case .timeout: .timedOut
            case .cancelled: .cancelled
            default: error.failure.map { .unanswered($0) } ?? .notStarted(error.description)
            }
    }
}
