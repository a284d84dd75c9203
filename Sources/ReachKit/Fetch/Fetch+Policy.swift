#if Fetch
import Monitoring

extension Fetch {
    /// Which errors are followed by another try, and after which pause. The number of retries is not part of it.
    public struct Policy: Sendable {
        /// Whether another try may succeed after this error.
        public var isRetryable: @Sendable (Error) -> Bool
        /// Whether a request may be sent twice, for any method. One with an `Idempotency-Key` is always sent
        /// again, because the server recognizes the repetition by the key
        /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
        public var repeatsAnyMethod: Bool
        /// The limit of the first pause. Each retry doubles the limit, and each pause is random below it.
        public var basePause: Duration
        /// The limit that no random pause exceeds, at most a day.
        public var maximumPause: Duration
        /// The longest `Retry-After` that is waited for. A longer one ends the fetch at once with
        /// ``Error/retryAfter(_:)``.
        public var maximumRetryAfter: Duration

        /// Creates a policy. By default, transient errors (``Error/isRetryable``) are retried with idempotent methods,
        /// after pauses below 0.5 s, 1 s, 2 s … 30 s, and a `Retry-After` of up to a minute is waited for.
        public init(
            repeatsAnyMethod: Bool = false,
            basePause: Duration = .milliseconds(500),
            maximumPause: Duration = .seconds(30),
            maximumRetryAfter: Duration = .seconds(60),
            isRetryable: @escaping @Sendable (Error) -> Bool = { $0.isRetryable }
        ) {
            self.isRetryable = isRetryable
            self.repeatsAnyMethod = repeatsAnyMethod
            self.basePause = basePause
            self.maximumPause = maximumPause
            self.maximumRetryAfter = maximumRetryAfter
        }

        /// The random pauses. Negative durations count as zero.
        var backoff: Backoff {
            let cap = min(max(.zero, maximumPause), .seconds(86_400))
            return Backoff(base: min(max(.zero, basePause), cap), cap: cap)
        }
    }
}
#endif
