extension Fetch {
    /// Which errors are followed by another try. The number of retries and their pauses are not part of it.
    public struct Policy: Sendable {
        /// Whether another try may end better after this error.
        public var isRetryable: @Sendable (Error) -> Bool
        /// Whether a request may be sent twice, whatever its method. One with an `Idempotency-Key` is sent again in any
        /// case, since the server recognizes it by that
        /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
        public var repeatsAnyMethod: Bool

        /// A policy; by default, errors that may pass (``Error/isRetryable``) are retried with idempotent methods.
        public init(
            repeatsAnyMethod: Bool = false,
            isRetryable: @escaping @Sendable (Error) -> Bool = { $0.isRetryable }
        ) {
            self.isRetryable = isRetryable
            self.repeatsAnyMethod = repeatsAnyMethod
        }
    }
}
