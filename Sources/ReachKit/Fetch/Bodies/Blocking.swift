import NIOPosix

/// Runs what may block – a write to a full pipe, a read from a distant disk – on a thread of a pool for that, not on those
/// that tasks share.
func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Fetch.Error) -> Value
) async throws(Fetch.Error) -> Value {
    let result: Result<Value, Fetch.Error>
    do {
        result = try await NIOThreadPool.singleton.runIfActive { Result { () throws(Fetch.Error) in try body() } }
    } catch {
        // The task was cancelled before there was a thread.
        throw .file("cancelled")
    }
    return try result.get()
}
