#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// A body as a sequence of pieces, none of them empty. The next piece is read from the connection once this one is
    /// consumed, so memory stays bounded for any length.
    ///
    /// Each iterator is a separate fetch, which begins with the first piece. When the iteration ends or its task is
    /// cancelled, the connection is closed.
    public struct Stream: AsyncSequence, Sendable {
        let fetch: Fetch
        let request: Request
        let retries: Int
        let onEvent: @Sendable (Event) -> Void

        /// Begins a fetch.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                body: StreamedFetch { [self] sink async throws(Error) in
                    _ = try await fetch.response(
                        to: request,
                        retries: retries,
                        into: sink,
                        requiresBody: false,
                        onEvent: onEvent
                    )
                }
            )
        }

        /// One fetch and the position in its body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let body: StreamedFetch

            /// The next piece; nil after the last one.
            ///
            /// - Throws: The error of the fetch, once: there was no good response, or its body is incomplete.
            public mutating func next() async throws(Error) -> Data? {
                try await body.next()
            }
        }
    }

    /// Fetches a URL piece by piece.
    ///
    /// There are retries until the first piece is received. A body that ends early after that is not restarted.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - retries: the maximum number of retries, 0…10.
    ///   - onEvent: called for each event, on any thread.
    public func stream(
        from request: Request,
        retries: Int = Self.maxRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) -> Stream {
        Stream(fetch: self, request: request.limitingKeptBody, retries: retries, onEvent: onEvent)
    }
}
