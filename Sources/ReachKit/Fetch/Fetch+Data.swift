#if Fetch
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// Fetches a URL into memory.
    ///
    /// - Parameters:
    ///   - request: a URL as a text or as a Foundation `URL`, or a ``Request`` with a URL, method, header fields and body.
    ///   - limit: the time limit of the whole fetch, with all tries and pauses, by the prober's clock; none by default.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - requiresBody: whether a good response without a body is an error. The response to a HEAD, and those with the
    ///     status 204 or 205, never have a body and are no errors.
    ///   - onEvent: called for each event, on any thread.
    /// - Returns: The body of a good response (HTTP 200 to 299), up to ``Request/maximumBodySize`` bytes.
    /// - Throws: ``Error/retriesExhausted(last:)`` when the retries of a transient error are used up,
    ///   ``Error/expired(last:)`` when the time is over, and any other error itself, such as ``Error/status(_:)``.
    public func data(
        from request: some RequestConvertible,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        requiresBody: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Data {
        try await response(
            to: request,
            within: limit,
            maximumRetries: maximumRetries,
            requiresBody: requiresBody,
            onEvent: onEvent
        ).body
    }

    /// Fetches a whole response into memory: status, header fields and body.
    ///
    /// - Parameters:
    ///   - request: a URL, or a ``Request``.
    ///   - limit: the time limit of the whole fetch; none by default.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - requiresBody: whether a good response without a body is an error.
    ///   - onEvent: called for each event, on any thread.
    /// - Returns: A good response (HTTP 200 to 299).
    /// - Throws: ``Error/retriesExhausted(last:)`` when the retries of a transient error are used up,
    ///   ``Error/expired(last:)`` when the time is over, and any other error itself, such as ``Error/status(_:)``.
    public func response(
        to request: some RequestConvertible,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        requiresBody: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Response {
        try await response(
            to: request.fetchRequest,
            into: nil,
            within: limit,
            maximumRetries: maximumRetries,
            requiresBody: requiresBody,
            onEvent: onEvent
        )
    }
}
#endif
