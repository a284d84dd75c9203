import TestSupport
import Testing

/// Tests of the built program in terminals, with real sockets, processes and networks. A few of them run at once.
@Suite(.live, .timeLimit(.minutes(1))) struct EndToEnd {}

/// A condition that did not hold in time, or a test fixture that could not be set up.
struct TestFailure: Error, CustomStringConvertible {
    let description: String
}

/// Polls until there is a value, after 10 ms at first and every 50 ms in the end, and throws after a time limit.
///
/// - Parameters:
///   - what: the name of the value, for the message.
///   - limit: the longest time to wait.
///   - context: the actual state, for the message.
///   - value: returns the value, or nil while there is none.
func eventually<Value>(
    _ what: String,
    within limit: Duration = .seconds(8),
    context: () -> String = { "" },
    _ value: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(10)
    while true {
        if let value = try await value() { return value }
        guard ContinuousClock.now < deadline else {
            throw TestFailure(description: "no \(what) within \(limit)\n\(context())")
        }
        try await Task.sleep(for: pause)
        pause = min(pause * 3 / 2, .milliseconds(50))
    }
}

/// Polls until a condition holds, after 10 ms at first and every 50 ms in the end, and throws after a time limit.
func eventually(
    _ what: String,
    within limit: Duration = .seconds(8),
    context: () -> String = { "" },
    _ condition: () async throws -> Bool
) async throws {
    let _: Bool = try await eventually(what, within: limit, context: context) { try await condition() ? true : nil }
}
