#if Fetch
import Monitoring

extension Fetch {
    /// Fetches a URL into a file, which gets its name when it is complete. Until then, its bytes are in a hidden file
    /// in the same folder, which is removed when the fetch fails, and an older file of the name stays.
    ///
    /// Writes to a pipe or a device cannot be undone. So a body of up to 1 MiB is written there when it is complete. A
    /// longer one is written as it is received, and ends the fetch if it is incomplete.
    ///
    /// - Parameters:
    ///   - request: a URL, or a ``Request``.
    ///   - path: the file's name; `/dev/stdout` is standard output.
    ///   - limit: the time limit of the whole fetch; none by default. A blocked write to a pipe can delay its end.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - onEvent: called for each event, on any thread.
    /// - Returns: The good response (HTTP 200 to 299), whose body is in the file.
    /// - Throws: ``Error/file(_:)`` before anything is sent when the path cannot be written. For another response,
    ///   ``Error/status(_:)`` has the first mebibyte of its body.
    @discardableResult
    public func save(
        _ request: some RequestConvertible,
        to path: String,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Response {
        // A file of the name "-", not standard output.
        let sink = try Self.sink(to: path == "-" ? "./-" : path)
        defer { sink.discard() }
        return try await response(
            to: request.fetchRequest.limitingKeptBody,
            into: sink,
            within: limit,
            maximumRetries: maximumRetries,
            onEvent: onEvent
        )
    }

    /// Fetches a URL into a sink, which the caller discards.
    @discardableResult
    package func save(
        _ request: Request,
        to sink: any BodySink,
        maximumRetries: Int,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(Error) -> Response {
        try await response(
            to: request.limitingKeptBody,
            into: sink,
            within: nil,
            maximumRetries: maximumRetries,
            onEvent: onEvent
        )
    }
}

extension Fetch.Request {
    /// The same request, with at most 1 MiB of the body kept in memory: only bodies of bad responses are kept.
    var limitingKeptBody: Fetch.Request {
        var request = self
        request.maximumBodySize = min(request.maximumBodySize, HTTPOptions.maxBodyLength)
        return request
    }
}
#endif
