#if Fetch
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// A response whose body is a sequence of pieces, none of them empty. The next piece is read from the connection
    /// once this one is consumed, so memory stays bounded for any length.
    ///
    /// The body can be read once, by one task at a time: all iterators share one position, and an iterator throws
    /// ``Error/invalid(_:)`` while another one waits for a piece. The connection is closed when the body ends, the task is
    /// cancelled, or the stream is released with its iterator.
    public struct Stream: AsyncSequence, Sendable {
        /// The status and the header fields. The body is empty: it is this sequence.
        public let response: Response
        let body: StreamedFetch

        /// The pieces that were not read yet.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(body: body)
        }

        /// The position in the body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let body: StreamedFetch

            /// The next piece; nil after the last one.
            ///
            /// - Throws: The error of the body, once: it is incomplete.
            public mutating func next() async throws(Error) -> Data? {
                try await body.next()
            }
        }
    }

    /// Fetches a URL piece by piece. Returns with the status and the header fields of a good response (HTTP 200 to 299),
    /// before its body.
    ///
    /// There are retries until then. A body that ends early is not restarted.
    ///
    /// - Parameters:
    ///   - request: a URL, or a ``Request``.
    ///   - limit: the time limit of the whole fetch, until the end of the body; none by default.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - onEvent: called for each event, on any thread.
    /// - Throws: The error of the fetch: there was no good response.
    public func stream(
        from request: some RequestConvertible,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Stream {
        let request = request.fetchRequest.limitingKeptBody
        let body = StreamedFetch { sink async throws(Error) in
            _ = try await response(
                to: request,
                into: sink,
                within: limit,
                maximumRetries: maximumRetries,
                onEvent: onEvent
            )
        }
        return Stream(response: try await body.response(), body: body)
    }
}
#endif
