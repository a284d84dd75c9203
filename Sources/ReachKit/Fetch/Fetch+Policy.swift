extension Fetch {
    /// What is tried again. How often, and after which pauses, is the same for all.
    public struct Policy: Sendable {
        /// Whether another try may end better than one that ended so.
        public var isRetryable: @Sendable (FetchError) -> Bool
        /// Whether sending a request twice does no harm, whatever its method. One with an `Idempotency-Key` is sent again
        /// in any case, since its server knows it by that
        /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
        public var repeatsAnyMethod: Bool

        /// A policy: what can pass by itself is tried again, with an idempotent method, unless told otherwise.
        public init(
            repeatsAnyMethod: Bool = false,
            isRetryable: @escaping @Sendable (FetchError) -> Bool = { $0.isRetryable }
        ) {
            self.isRetryable = isRetryable
            self.repeatsAnyMethod = repeatsAnyMethod
        }
    }
}
