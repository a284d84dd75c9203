#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// A body as a sequence of pieces, none of them empty. The next one is read from the connection when this one is
    /// received, so that memory stays bounded however long the body is.
    ///
    /// Each iteration is a fetch of its own, which begins when the first piece is asked for. When the iteration ends or its
    /// task is cancelled, the connection is closed.
    public struct Stream: AsyncSequence, Sendable {
        let fetch: Fetch
        let request: Request
        let retries: Int
        let onEvent: @Sendable (Event) -> Void

        /// Begins a fetch.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                flow: StreamedFetch { [self] sink async throws(Error) in
                    _ = try await fetch.answer(
                        to: request,
                        retries: retries,
                        into: sink,
                        allowsEmptyBody: true,
                        onEvent: onEvent
                    )
                }
            )
        }

        /// One fetch and the position in its body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let flow: StreamedFetch

            /// The next piece; nil after the last one.
            ///
            /// - Throws: The error of the fetch, once: the body broke off, or never began.
            public mutating func next() async throws(Error) -> Data? {
                try await flow.next()
            }
        }
    }

    /// Fetches a URL piece by piece.
    ///
    /// There are retries until the first piece was received. A body that breaks off later is not begun anew.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - retries: how often it is sent again at most, 0…10.
    ///   - onEvent: is called for each event, on any thread.
    public func stream(
        from request: Request,
        retries: Int = Self.mostRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) -> Stream {
        Stream(fetch: self, request: request.keepingLittle, retries: retries, onEvent: onEvent)
    }
}
