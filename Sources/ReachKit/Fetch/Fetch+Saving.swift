import Monitoring

extension Fetch {
    /// Fetches a URL into a file, which gets its name when it is whole: until then, its bytes are in a hidden file beside it,
    /// which is removed when the fetch fails, and an older file of the name stays.
    ///
    /// A pipe or a device, which cannot be rewound, gets up to 1 MiB when the body is whole. Once more has been written, the
    /// loss of the rest ends the fetch.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - path: the file's name; `-` and `/dev/stdout` are standard output.
    ///   - retries: how often it is sent again at most, 0…10.
    ///   - onEvent: is called for each event, on any thread.
    /// - Returns: The good response (HTTP 200 to 299), whose body is in the file. Of the body of another response,
    ///   ``Error/status(_:)`` has the first mebibyte.
    /// - Throws: ``Error/file(_:)`` before anything is sent when nothing can be written there.
    @discardableResult
    public func save(
        _ request: Request,
        to path: String,
        retries: Int = Self.mostRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Response {
        let sink = try Self.sink(to: path)
        defer { sink.discard() }
        return try await save(request, to: sink, retries: retries, onEvent: onEvent)
    }

    /// Fetches a URL into a sink, which the caller discards.
    @discardableResult
    package func save(
        _ request: Request,
        to sink: any BodySink,
        retries: Int,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(Error) -> Response {
        try await answer(
            to: request.keepingLittle,
            retries: retries,
            into: sink,
            allowsEmptyBody: true,
            onEvent: onEvent
        )
    }
}

extension Fetch.Request {
    /// The request where only the bodies of bad responses are kept in memory.
    var keepingLittle: Fetch.Request {
        var request = self
        request.longestBody = min(request.longestBody, HTTPOptions.longestBody)
        return request
    }
}
