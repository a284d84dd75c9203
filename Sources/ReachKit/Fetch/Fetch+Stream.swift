#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// A body in the pieces in which it comes, none of them empty. The next one is asked of the server when this one is
    /// taken, so that memory stays bounded however long it is.
    ///
    /// Each iteration is a fetch of its own, which begins with the first piece that is wanted. When the iteration is left
    /// or its task is cancelled, the connection is closed.
    public struct Stream: AsyncSequence, Sendable {
        let fetch: Fetch
        let request: Request
        let retries: Int
        let onEvent: @Sendable (Event) -> Void

        /// Begins a fetch.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                flow: StreamedFetch { [self] sink async throws(FetchError) in
                    _ = try await fetch.answer(
                        to: request,
                        retries: retries,
                        into: sink,
                        allowsNothing: true,
                        onEvent: onEvent
                    )
                }
            )
        }

        /// One fetch, as far as its body was taken.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let flow: StreamedFetch

            /// The next piece; nil after the last one.
            ///
            /// - Throws: Why there is no next one, once; the body has broken off then, or never began.
            public mutating func next() async throws(FetchError) -> Data? {
                try await flow.next()
            }
        }
    }

    /// Fetches what stands behind a URL piece by piece.
    ///
    /// It is asked again until the first piece has come; a body that breaks off later is not begun anew, since its
    /// beginning has been taken.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - retries: how often it is asked again at the most, 0…10.
    ///   - onEvent: is told how far it is, on no thread in particular.
    public func stream(
        from request: Request,
        retries: Int = Self.mostRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) -> Stream {
        Stream(fetch: self, request: request.keepingLittle, retries: retries, onEvent: onEvent)
    }
}
