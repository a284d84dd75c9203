import NIOPosix

/// Does what may block – a full pipe, a distant disk – on a thread that may, not on those that tasks share.
func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () -> Result<Value, FileProblem>
) async throws(FileProblem) -> Value {
    let result: Result<Value, FileProblem>
    do {
        result = try await NIOThreadPool.singleton.runIfActive(body)
    } catch {
        // The task was cancelled before there was a thread.
        throw FileProblem("cancelled")
    }
    return try result.get()
}
