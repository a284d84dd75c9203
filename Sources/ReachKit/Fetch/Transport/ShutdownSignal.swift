#if Fetch

import Synchronization

/// Ends the fetches of a client when it is shut down, also those that have no connection at that time.
final class ShutdownSignal: Sendable {
    private struct State {
        var isSent = false
        var count = 0
        /// The fetches under way, by number.
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Whether the client was shut down.
    var isSent: Bool { state.withLock(\.isSent) }

    /// Returns when the client is shut down, or when the task is cancelled.
    func wait() async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let number = state.withLock { state -> Int? in
            guard !state.isSent else { return nil }
            state.count += 1
            state.waiters[state.count] = end
            return state.count
        }
        guard let number else { return }
        for await _ in ends {}
        state.withLock { $0.waiters[number] = nil }
    }

    /// Resumes all waiters, and later ones at once.
    func send() {
        let waiters = state.withLock { state in
            state.isSent = true
            return state.waiters.values
        }
        for waiter in waiters { waiter.finish() }
    }
}

#endif
