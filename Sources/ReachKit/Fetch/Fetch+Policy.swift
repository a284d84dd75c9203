extension Fetch {
    /// Which errors are followed by another try. The number of retries and their pauses are not part of it.
    public struct Policy: Sendable {
        /// Whether another try may succeed after this error.
        public var isRetryable: @Sendable (Error) -> Bool
        /// Whether a request may be sent twice, for any method. One with an `Idempotency-Key` is always sent
        /// again, because the server recognizes the repetition by the key
        /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
        public var repeatsAnyMethod: Bool

        /// Creates a policy. By default, transient errors (``Error/isRetryable``) are retried with idempotent methods.
        public init(
            repeatsAnyMethod: Bool = false,
            isRetryable: @escaping @Sendable (Error) -> Bool = { $0.isRetryable }
        ) {
            self.isRetryable = isRetryable
            self.repeatsAnyMethod = repeatsAnyMethod
        }
    }
}
