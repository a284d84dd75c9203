import Monitoring
import NIOCore

/// Runs blocking lookups on threads of its own, in the order that a ``LookupQueue`` gives. Confined to its event loop.
final class LookupPool {
    /// How many threads stay for later lookups.
    private static let mostIdle = 16

    private let gate: LoopGate
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    private let isWanted: (NameQuery) -> Bool
    private let ended: (NameQuery, Resolution?) -> Void
    private var queue: LookupQueue
    /// Those without a lookup; they are made when they are needed.
    private var idle: [LookupThread] = []
    private var isClosed = false

    /// - Parameters:
    ///   - isWanted: whether a name that has waited for its turn is still to be looked up.
    ///   - ended: takes the end of each lookup; nil if the name was no longer wanted.
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

    /// When ``start(at:)`` has something to do for the time that has passed alone.
    var nextDeadline: Duration? { queue.nextDeadline }

    /// Looks a name up, now or when it is its turn.
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
                unwanted.append((name, .fault(Fault(.noMemory, detail: "no thread for looking names up"))))
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

    /// Lets the threads go. One that hangs in a lookup is not waited for: it would hold up the program's end.
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
            let isTaken = gate.enter { pool.value.take(resolution, of: name, from: thread) }
            if !isTaken { thread.close() }
        }
    }

    private func take(_ resolution: Resolution, of name: NameQuery, from thread: LookupThread) {
        if isClosed || idle.count >= Self.mostIdle { thread.close() } else { idle.append(thread) }
        let now = time()
        queue.end(name, at: now)
        start(at: now)
        ended(name, resolution)
    }
}
