/// Runs an operation with a timeout. Returns nil if the operation fails or times out; it is cancelled then.
func withTimeout<Value: Sendable>(
    _ timeout: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { try? await body() }
        group.addTask {
            try? await Task.sleep(for: timeout)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
