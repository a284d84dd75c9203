#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// Fetches a URL into memory.
    ///
    /// - Parameters:
    ///   - request: the request: a text, or a ``Request`` of a Foundation `URL`, or one with a method, fields and a body.
    ///   - retries: how often it is sent again at most, 0…10.
    ///   - allowEmptyData: whether a good response may be without a body, as those to HEAD, PUT and DELETE often are.
    ///   - onEvent: is called for each event, on any thread.
    /// - Returns: The body of a good response (HTTP 200 to 299), up to ``Request/longestBody-property`` bytes.
    public func data(
        from request: Request,
        retries: Int = Self.mostRetries,
        allowEmptyData: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Data {
        try await answer(to: request, retries: retries, allowEmptyData: allowEmptyData, onEvent: onEvent).body
    }

    /// Fetches a whole response into memory: status, header fields and body.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - retries: how often it is sent again at most, 0…10.
    ///   - allowEmptyData: whether a good response may be without a body.
    ///   - onEvent: is called for each event, on any thread.
    /// - Returns: A good response (HTTP 200 to 299).
    public func answer(
        to request: Request,
        retries: Int = Self.mostRetries,
        allowEmptyData: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Response {
        try await answer(to: request, retries: retries, into: nil, allowsEmptyBody: allowEmptyData, onEvent: onEvent)
    }
}
