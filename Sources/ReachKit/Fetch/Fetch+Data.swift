#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// Fetches a URL into memory.
    ///
    /// - Parameters:
    ///   - request: the request: a string literal, or a ``Request`` with a URL, method, header fields and body.
    ///   - retries: the maximum number of retries, 0…10.
    ///   - requiresBody: whether a good response without a body is an error. The response to a HEAD, and those with the
    ///     status 204 or 205, never have a body and are no errors.
    ///   - onEvent: called for each event, on any thread.
    /// - Returns: The body of a good response (HTTP 200 to 299), up to ``Request/maxBodyLength-property`` bytes.
    /// - Throws: ``Error/retriesExhausted(last:)`` when the retries of a transient error are used up, and any other error
    ///   itself, such as ``Error/status(_:)``.
    public func data(
        from request: Request,
        retries: Int = Self.maxRetries,
        requiresBody: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Data {
        try await response(to: request, retries: retries, requiresBody: requiresBody, onEvent: onEvent).body
    }

    /// Fetches a whole response into memory: status, header fields and body.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - retries: the maximum number of retries, 0…10.
    ///   - requiresBody: whether a good response without a body is an error.
    ///   - onEvent: called for each event, on any thread.
    /// - Returns: A good response (HTTP 200 to 299).
    /// - Throws: ``Error/retriesExhausted(last:)`` when the retries of a transient error are used up, and any other error
    ///   itself, such as ``Error/status(_:)``.
    public func response(
        to request: Request,
        retries: Int = Self.maxRetries,
        requiresBody: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Response {
        try await response(to: request, retries: retries, into: nil, requiresBody: requiresBody, onEvent: onEvent)
    }
}
