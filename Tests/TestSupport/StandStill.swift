/// Waits until the task is cancelled, however long that takes: a sleep that no clock ends.
///
/// - Throws: `CancellationError`, always.
public func standStill() async throws(CancellationError) {
    let (nothing, end) = AsyncStream<Never>.makeStream()
    defer { end.finish() }
    for await _ in nothing {}
    throw CancellationError()
}
