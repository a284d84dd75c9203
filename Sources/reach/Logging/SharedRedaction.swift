import ReachMonitoring
import Synchronization

/// The redaction that logs, lines and pages share. New settings add to it: the secrets of old settings stay redacted, since
/// their last hooks may still run.
final class SharedRedaction: Sendable {
    private struct State: Sendable {
        /// The redaction of all settings so far.
        var settings = Redaction()
        /// Requests whose secrets are in no settings, the oldest first.
        var requests: [Question] = []
        var all = Redaction()
        var screen = Redaction.none

        mutating func merge() {
            all = settings
            for request in requests { all.register(secretsOf: request) }
            screen = all.forScreen
        }
    }

    /// The most requests whose secrets are kept. Some tokens are replaced each hour.
    private static let requestLimit = 256

    private let state = Mutex(State())

    /// The current redaction.
    var current: Redaction { state.withLock { $0.all } }

    /// The current redaction for the user's own screen.
    var forScreen: Redaction { state.withLock { $0.screen } }

    /// Adds the redaction of new settings.
    func update(_ settings: Settings) {
        state.withLock { state in
            var new = settings.redaction
            new.formUnion(state.settings)
            state.settings = new
            state.merge()
        }
    }

    /// Adds the secrets of a request that is about to be sent, since the server may return them: the query of its URL, and
    /// the header fields that authenticate.
    func update(requestOf url: String, headers: [HTTPOptions.Header]) {
        guard case .http(var question)? = try? Question(url) else { return }
        question.options.headers = headers
        let request = Question.http(question)
        state.withLock { state in
            guard !state.requests.contains(request) else { return }
            state.requests = state.requests.suffix(Self.requestLimit - 1) + [request]
            state.merge()
        }
    }
}
