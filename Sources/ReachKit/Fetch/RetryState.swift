import Monitoring

/// The retries of one request: which error is followed by another try, and after which pause. Only an error that may pass,
/// and only a request that may be sent twice; the pauses grow.
///
/// A pure state machine without clock or network: each call takes the error of a try and returns the pause.
struct RetryState: Sendable {
    /// The upper limit of retries.
    static let mostRetries = 10

    private let retries: Int
    private let policy: Fetch.Policy
    private let isRepeatable: Bool
    private var backoff = Backoff()

    /// The state before the first try.
    ///
    /// - Parameters:
    ///   - request: the request. One whose method is not idempotent (RFC 9110 §9.2.2) is not sent again, unless it has an
    ///     `Idempotency-Key` or the policy repeats any method.
    ///   - retries: how often it is sent again at most: 0…10.
    ///   - policy: which errors may pass.
    init(of request: Fetch.Request, retries: Int = Self.mostRetries, policy: Fetch.Policy = Fetch.Policy()) {
        self.retries = min(max(0, retries), Self.mostRetries)
        self.policy = policy
        isRepeatable =
            policy.repeatsAnyMethod || Self.idempotentMethods.contains(request.method)
            || request.headers["Idempotency-Key"] != nil
    }

    /// RFC 9110 §9.2.2.
    private static let idempotentMethods: Set<String> = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"]

    /// How many tries have failed and were given a retry.
    var count: Int { backoff.tries }

    /// Whether the request may be sent again after this error, were there retries left.
    func allowsRetry(after error: Fetch.Error) -> Bool {
        isRepeatable && policy.isRetryable(error)
    }

    /// The pause before the next try; nil when there is none.
    ///
    /// The pause is random below a limit that doubles, not shorter than `Retry-After` (RFC 9110 §10.2.3), and at most
    /// thirty seconds, so that no server can delay the fetch for longer.
    mutating func pause(after error: Fetch.Error, using generator: inout some RandomNumberGenerator) -> Duration? {
        guard backoff.tries < retries, allowsRetry(after: error) else { return nil }
        return backoff.pause(atLeast: error.retryAfter ?? .zero, using: &generator)
    }
}
