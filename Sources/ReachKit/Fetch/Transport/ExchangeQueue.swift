#if Fetch

import Synchronization

/// Limits the number of exchanges with each host that run at a time. The others wait, first come, first served.
///
/// The HTTP client has a queue, too, but a request in it fails after the timeout for connections.
final class ExchangeQueue: Sendable {
    /// A host with a port.
    struct Server: Sendable, Hashable {
        let host: String
        let port: UInt16
    }

    private typealias Waiter = CheckedContinuation<Bool, Never>

    /// The exchanges with one server.
    private struct Line {
        var running = 0
        /// The exchanges that wait, by number.
        private(set) var waiters: [Int: Waiter] = [:]
        /// The numbers in the order of arrival. Those before `head` were admitted, and cancelled ones have no waiter.
        private var order: [Int] = []
        private var head = 0

        mutating func append(_ waiter: Waiter, number: Int) {
            waiters[number] = waiter
            order.append(number)
        }

        mutating func remove(_ number: Int) -> Waiter? { waiters.removeValue(forKey: number) }

        mutating func removeFirst() -> Waiter? {
            while head < order.count {
                head += 1
                if let first = waiters.removeValue(forKey: order[head - 1]) { return first }
            }
            (order, head) = ([], 0)
            return nil
        }
    }

    private struct State {
        var lines: [Server: Line] = [:]
        var count = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the maximum number of exchanges with one server; at least one.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of exchanges that wait.
    var waitingCount: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Runs an exchange once it is its turn.
    ///
    /// - Throws: ``Fetch/Error/cancelled`` if the task is cancelled before, and the error of the exchange.
    func run<Value: Sendable>(
        with server: Server,
        _ exchange: () async throws(Fetch.Error) -> Value
    ) async throws(Fetch.Error) -> Value {
        guard await enter(server) else { throw .cancelled }
        defer { leave(server) }
        return try await exchange()
    }

    /// Waits for the turn of an exchange.
    ///
    /// - Returns: Whether it may run; false if the task is cancelled before.
    private func enter(_ server: Server) async -> Bool {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let isAdmitted = state.withLock { state -> Bool? in
                    // The handler below may have run already.
                    if Task.isCancelled { return false }
                    var line = state.lines[server] ?? Line()
                    defer { state.lines[server] = line }
                    if line.running < limit {
                        line.running += 1
                        return true
                    }
                    line.append(waiter, number: number)
                    return nil
                }
                if let isAdmitted { waiter.resume(returning: isAdmitted) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.lines[server]?.remove(number) }
            waiter?.resume(returning: false)
        }
    }

    private func leave(_ server: Server) {
        let first = state.withLock { state -> Waiter? in
            guard var line = state.lines[server] else { return nil }
            let first = line.removeFirst()
            if first == nil { line.running -= 1 }
            state.lines[server] = line.running == 0 ? nil : line
            return first
        }
        first?.resume(returning: true)
    }
}

#endif
