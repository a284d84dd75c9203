#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// Fetches what stands behind a URL into memory.
    ///
    /// - Parameters:
    ///   - request: what is asked: a text, or a ``Request`` of a Foundation `URL`, or one with a method, fields and a body.
    ///   - retries: how often it is asked again at the most, 0…10.
    ///   - allowEmptyData: whether a good answer without a body will do, as those to HEAD, PUT and DELETE often are.
    ///   - onEvent: is told how far it is, on no thread in particular.
    /// - Returns: The body of a good answer (HTTP 200 to 299), up to ``Request/longestBody-property`` bytes.
    public func data(
        from request: Request,
        retries: Int = Self.mostRetries,
        allowEmptyData: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(FetchError) -> Data {
        try await answer(to: request, retries: retries, allowEmptyData: allowEmptyData, onEvent: onEvent).body
    }

    /// Fetches a whole answer into memory: status, header fields and body.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - retries: how often it is asked again at the most, 0…10.
    ///   - allowEmptyData: whether a good answer without a body will do.
    ///   - onEvent: is told how far it is, on no thread in particular.
    /// - Returns: A good answer (HTTP 200 to 299).
    public func answer(
        to request: Request,
        retries: Int = Self.mostRetries,
        allowEmptyData: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(FetchError) -> Answer {
        try await answer(to: request, retries: retries, into: nil, allowsNothing: allowEmptyData, onEvent: onEvent)
    }
}
