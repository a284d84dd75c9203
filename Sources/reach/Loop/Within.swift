/// What a task comes to if it is done in time; nil if it is not, or fails. Then it is cancelled.
func within<Value: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Value) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { try? await body() }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
