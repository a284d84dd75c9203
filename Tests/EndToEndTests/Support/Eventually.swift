/// What a test waited for in vain.
struct Missing: Error, CustomStringConvertible {
    let description: String
}

/// Asks every 20 ms until there is a value, for a bounded time.
///
/// - Parameters:
///   - what: what is waited for, for the message.
///   - limit: how long at most.
///   - context: what there is instead, for the message.
///   - probe: returns the value, or nil as long as there is none.
func eventually<Value>(
    _ what: String,
    within limit: Duration = .seconds(8),
    context: () -> String = { "" },
    _ probe: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        if let value = try await probe() { return value }
        guard ContinuousClock.now < deadline else {
            throw Missing(description: "no \(what) within \(limit)\n\(context())")
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Asks every 20 ms until something holds, for a bounded time.
func eventually(
    _ what: String,
    within limit: Duration = .seconds(8),
    context: () -> String = { "" },
    _ holds: () async throws -> Bool
) async throws {
    let _: Bool = try await eventually(what, within: limit, context: context) { try await holds() ? true : nil }
}
