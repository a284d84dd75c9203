package import Fetching
import Monitoring

extension Fetch {
    /// Fetches what stands behind a URL into a file, which has its name only when it is whole: until then, its bytes are in
    /// a hidden file beside it, which is gone when the fetch has failed, and an older file of the name stays.
    ///
    /// What cannot be taken back, as a pipe or a device, gets up to 1 MiB when it is whole; once more has gone out, the
    /// loss of the rest ends the fetch.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - path: the file's name; `-` and `/dev/stdout` are standard output.
    ///   - retries: how often it is asked again at the most, 0…10.
    ///   - onEvent: is told how far it is, on no thread in particular.
    /// - Returns: The good answer (HTTP 200 to 299), whose body is in the file. Of the body of one that says no,
    ///   ``FetchError/status(_:)`` has the first mebibyte.
    /// - Throws: ``FetchError/file(_:)`` before anything is asked when nothing can be written there.
    @discardableResult
    public func save(
        _ request: Request,
        to path: String,
        retries: Int = Self.mostRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(FetchError) -> Answer {
        let output: BodyOutput
        do throws(FileProblem) {
            output = try BodyOutput(path)
        } catch {
            throw FetchError(error)
        }
        defer { output.discard() }
        return try await save(request, to: output, retries: retries, onEvent: onEvent)
    }

    /// The same for a place that is known to take it, and that the caller discards.
    @discardableResult
    package func save(
        _ request: Request,
        to output: BodyOutput,
        retries: Int,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(FetchError) -> Answer {
        try await answer(
            to: request.keepingLittle,
            retries: retries,
            into: output.sink,
            allowsNothing: true,
            onEvent: onEvent
        )
    }
}

extension Fetch.Request {
    /// The same where memory is for the bodies of answers that say no.
    var keepingLittle: Fetch.Request {
        var request = self
        request.longestBody = min(request.longestBody, HTTPOptions.longestBody)
        return request
    }
}
