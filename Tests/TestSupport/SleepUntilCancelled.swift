/// Waits without a limit until the task is cancelled.
///
/// - Throws: `CancellationError`, always.
public func sleepUntilCancelled() async throws(CancellationError) {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    defer { continuation.finish() }
    for await _ in stream {}
    throw CancellationError()
}
