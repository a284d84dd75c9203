import Monitoring
import NIOCore

/// A thread pool for blocking lookups, in the order of a ``LookupQueue``. Confined to its event loop.
final class LookupPool {
    /// The maximum number of idle threads kept for later lookups.
    private static let maxIdle = 16

    private let gate: LoopGate
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    private let isWanted: (NameQuery) -> Bool
    private let ended: (NameQuery, Resolution?) -> Void
    private var queue: LookupQueue
    /// The idle threads; threads are made on demand.
    private var idle: [LookupThread] = []
    private var isClosed = false

    /// - Parameters:
    ///   - isWanted: returns whether a name that has waited in the queue is still needed.
    ///   - ended: called with the result of each lookup; nil if the name was no longer needed.
    init(
        gate: LoopGate,
        queue: LookupQueue,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration,
        isWanted: @escaping (NameQuery) -> Bool = { _ in true },
        ended: @escaping (NameQuery, Resolution?) -> Void
    ) {
        self.gate = gate
        self.queue = queue
        self.resolve = resolve
        self.time = time
        self.isWanted = isWanted
        self.ended = ended
    }

    deinit {
        close()
    }

    /// When ``start(at:)`` must be called again because of the time alone.
    var nextDeadline: Duration? { queue.nextDeadline }

    /// Looks a name up, at once or when it is its turn.
    func add(_ name: NameQuery, at now: Duration) {
        queue.add(name)
        start(at: now)
    }

    /// Starts the lookups whose turn it is.
    func start(at now: Duration) {
        var unwanted: [(NameQuery, Resolution?)] = []
        for name in queue.start(at: now) {
            guard isWanted(name) else {
                queue.end(name, at: now)
                unwanted.append((name, nil))
                continue
            }
            if let thread = idle.popLast() ?? LookupThread() {
                lookUp(name, on: thread)
            } else if queue.isAlone(name) {
                // The system allows no thread at all.
                queue.end(name, at: now)
                unwanted.append((name, .fault(Fault(.noMemory, detail: "no thread for a name lookup"))))
            } else {
                queue.postpone(name, at: now)
            }
        }
        for (name, resolution) in unwanted { ended(name, resolution) }
    }

    /// Forgets whether a name was slow.
    func forget(_ name: NameQuery) {
        queue.forget(name)
    }

    /// Ends the threads. A thread that hangs in a lookup is not waited for: it would delay the end of the program.
    func close() {
        isClosed = true
        for thread in idle { thread.close() }
        idle = []
    }

    private func lookUp(_ name: NameQuery, on thread: LookupThread) {
        let (gate, resolve) = (gate, resolve)
        let pool = NIOLoopBound(self, eventLoop: gate.loop)
        thread.run {
            let resolution = resolve(name).only(name)
            let isAccepted = gate.enter { pool.value.finish(resolution, of: name, from: thread) }
            if !isAccepted { thread.close() }
        }
    }

    private func finish(_ resolution: Resolution, of name: NameQuery, from thread: LookupThread) {
        if isClosed || idle.count >= Self.maxIdle { thread.close() } else { idle.append(thread) }
        let now = time()
        queue.end(name, at: now)
        start(at: now)
        ended(name, resolution)
    }
}
