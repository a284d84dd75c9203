#if Fetch
import Monitoring

/// The retries of one request: whether an error is followed by another try, and after which pause. Only transient
/// errors are retried, and only requests that may be sent twice. The pauses grow.
///
/// It is a pure state machine without clock or network: it maps the error of a try to the pause before the next one.
struct RetryState: Sendable {
    private let maximumRetries: Int
    private let policy: Fetch.Policy
    private let isRepeatable: Bool
    private var backoff: Backoff

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

    /// Whether the request may be sent again after this error, regardless of the number of retries.
    func allowsRetry(after error: Fetch.Error) -> Bool {
        isRepeatable && policy.isRetryable(error)
    }

    /// The delay that the server asks for (`Retry-After`, RFC 9110 §10.2.3), if there is a retry left and the policy
    /// does not wait that long.
    func excessiveDelay(after error: Fetch.Error) -> Duration? {
        guard count < maximumRetries, let delay = error.delay, delay > policy.maximumRetryAfter else { return nil }
        return delay
    }

    /// Returns the pause before the next try; nil when there is no next try.
    ///
    /// The pause is random below a limit that doubles, and not shorter than `Retry-After`.
    mutating func pause(after error: Fetch.Error, using generator: inout some RandomNumberGenerator) -> Duration? {
        guard count < maximumRetries, allowsRetry(after: error) else { return nil }
        return max(backoff.pause(using: &generator), error.delay ?? .zero)
    }
}
#endif
