import Dispatch
import Synchronization

/// Runs calls that may block or take long, one after another on a thread of its own: calls of the file system, which a server
/// that does not answer can block for minutes, and the parsing of long lists. Swift's threads and those of the loops must not
/// wait for them.
final class BlockingQueue: Sendable {
    private struct State {
        /// The calls that wait for the one before, in order. Their number is that of the tasks that wait for a result.
        var waiting: [(id: Int, call: @Sendable () -> Void)] = []
        var lastID = 0
        var isRunning = false
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// Creates a queue.
    ///
    /// - Parameter name: The purpose of the calls. Calls on different queues do not wait for each other.
    init(_ name: String) {
        queue = DispatchQueue(label: "reach.files.\(name)")
    }

    /// Runs a call and returns its result; nil when the task is cancelled. The call is dropped then unless it has begun.
    func run<Result: Sendable>(_ call: @escaping @Sendable () -> Result) async -> Result? {
        let (results, result) = AsyncStream.makeStream(of: Result.self, bufferingPolicy: .bufferingNewest(1))
        let id = enqueue { result.yield(call()) }
        defer { state.withLock { $0.waiting.removeAll { $0.id == id } } }
        return await results.first { _ in true }
    }

    private func enqueue(_ call: @escaping @Sendable () -> Void) -> Int {
        let (id, isIdle) = state.withLock { state in
            defer { state.isRunning = true }
            state.lastID += 1
            state.waiting.append((state.lastID, call))
            return (state.lastID, !state.isRunning)
        }
        if isIdle { queue.async { [self] in while let call = next() { call() } } }
        return id
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.isRunning = !state.waiting.isEmpty
            return state.isRunning ? state.waiting.removeFirst().call : nil
        }
    }
}
