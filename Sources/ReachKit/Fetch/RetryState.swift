import Monitoring

/// The retries of one request: whether an error is followed by another try, and after which pause. Only transient
/// errors are retried, and only requests that may be sent twice. The pauses grow.
///
/// It is a pure state machine without clock or network: it maps the error of a try to the pause before the next one.
struct RetryState: Sendable {
    /// The maximum number of retries.
    static let maxRetries = 10

    private let retries: Int
    private let policy: Fetch.Policy
    private let isRepeatable: Bool
    private var backoff = Backoff()

    /// The state before the first try.
    ///
    /// - Parameters:
    ///   - request: the request. One whose method is not idempotent (RFC 9110 §9.2.2) is not sent again, unless it has
    ///     an `Idempotency-Key` or the policy repeats any method.
    ///   - retries: the maximum number of retries, 0…10.
    ///   - policy: which errors are retried.
    init(of request: Fetch.Request, retries: Int = Self.maxRetries, policy: Fetch.Policy = Fetch.Policy()) {
        self.retries = min(max(0, retries), Self.maxRetries)
        self.policy = policy
        isRepeatable =
            policy.repeatsAnyMethod || request.isRepeatable
    }

    /// The number of retries so far.
    var count: Int { backoff.tries }

    /// Whether the request may be sent again after this error, regardless of the number of retries.
    func allowsRetry(after error: Fetch.Error) -> Bool {
        isRepeatable && policy.isRetryable(error)
    }

    /// Returns the pause before the next try; nil when there is no next try.
    ///
    /// The pause is random below a limit that doubles, not shorter than `Retry-After` (RFC 9110 §10.2.3), and at most
    /// thirty seconds, so that a server cannot delay the fetch for longer.
    mutating func pause(after error: Fetch.Error, using generator: inout some RandomNumberGenerator) -> Duration? {
        guard backoff.tries < retries, allowsRetry(after: error) else { return nil }
        return backoff.pause(atLeast: error.retryAfter ?? .zero, using: &generator)
    }
}
