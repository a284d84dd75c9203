import NIOCore
import Synchronization

/// The limit of a server's connections, which are on several event loops.
///
/// At the limit, a new connection replaces the one that has been idle longest, so that slow clients do not block others.
/// While each connection has a request in progress, none is accepted: clients wait in the kernel's queue. A request may
/// begin between the last check and the accept, so the limit can be exceeded by one connection.
final class ConnectionLimit: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        /// The number of open connections.
        var count = 0
        /// The connections without a request in progress, the oldest first.
        var idle: [any Channel] = []
        /// Accepts again; nil unless that waits for a connection.
        var resume: (@Sendable () -> Void)?
    }

    init(_ limit: Int) {
        self.limit = limit
    }

    /// The number of open connections.
    var count: Int { state.withLock(\.count) }

    /// Returns whether a connection may be accepted. If not, `resume` is called when one may be, on any event loop.
    func admits(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            let isFull = state.count >= limit && state.idle.isEmpty
            state.resume = isFull ? resume : nil
            return !isFull
        }
    }

    /// Adds a connection until it is closed.
    func add(_ connection: any Channel) {
        let replaced: (any Channel)? = state.withLock { state in
            let replaced = state.count >= limit && !state.idle.isEmpty ? state.idle.removeFirst() : nil
            state.count += 1
            state.idle.append(connection)
            return replaced
        }
        replaced?.close(promise: nil)
        connection.closeFuture.whenComplete { _ in
            self.change { state in
                state.count -= 1
                state.idle.removeAll { $0 === connection }
            }
        }
    }

    /// Marks a connection as having a request in progress, so that it is not replaced.
    func protect(_ connection: any Channel) {
        state.withLock { state in state.idle.removeAll { $0 === connection } }
    }

    /// Marks a connection as idle: its request has been answered, and it may be replaced.
    func release(_ connection: any Channel) {
        change { $0.idle.append(connection) }
    }

    /// Changes the state, and then accepts again if that waits.
    private func change(_ change: (inout State) -> Void) {
        let resume = state.withLock { state in
            change(&state)
            defer { state.resume = nil }
            return state.resume
        }
        resume?()
    }
}
