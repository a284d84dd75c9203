import NIOCore
import ReachMonitoring

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
    private var idle: [WorkerThread] = []
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
            if let thread = idle.popLast() ?? WorkerThread() {
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

    private func lookUp(_ name: NameQuery, on thread: WorkerThread) {
        let (gate, resolve) = (gate, resolve)
        let pool = NIOLoopBound(self, eventLoop: gate.loop)
        thread.run {
            let resolution = resolve(name).only(name)
            let isAccepted = gate.enter { pool.value.finish(resolution, of: name, from: thread) }
            if !isAccepted { thread.close() }
        }
    }

    private func finish(_ resolution: Resolution, of name: NameQuery, from thread: WorkerThread) {
        if isClosed || idle.count >= Self.maxIdle { thread.close() } else { idle.append(thread) }
        let now = time()
        queue.end(name, at: now)
        start(at: now)
        ended(name, resolution)
    }
}

/// A queue of names to look up, a few at a time. Lookups that hang do not count, so that a name that resolves does not
/// wait behind many that do not. The queue decides; its owner does the lookups.
struct LookupQueue: Sendable {
    /// The number of names looked up at the same time, not counting slow ones.
    let concurrencyLimit: Int
    /// The time after which a lookup frees its slot for the next one, and continues in addition.
    static let slotTimeout = Duration.milliseconds(10)
    /// The minimum time of a lookup whose server does not answer: a second or more (resolv.conf(5): twice five).
    static let slowThreshold = Duration.seconds(1)
    /// The time without new lookups after the system has refused a thread.
    static let refusalPause = Duration.seconds(1)

    /// The maximum number of lookups in flight, slow ones included. Each takes a thread.
    let maxThreads: Int
    /// The lowered limit after the system has refused a thread, and its end.
    private var lowered: (maxThreads: Int, until: Duration)?
    /// The names that wait for a slot, in order.
    private var waiting: ArraySlice<NameQuery> = []
    /// The names that wait after those: their last lookup was slow.
    private var slowWaiting: ArraySlice<NameQuery> = []
    /// The lookups in flight with their start, the oldest first.
    private var running: [(name: NameQuery, since: Duration)] = []
    private var slow: Set<NameQuery> = []
    /// The lookups in flight of names whose last lookup was slow.
    private var runningSlow: Set<NameQuery> = []

    init(concurrencyLimit: Int, maxThreads: Int) {
        self.concurrencyLimit = concurrencyLimit
        self.maxThreads = maxThreads
    }

    /// When ``start(at:)`` must be called again because of the time alone; nil while nothing can be started.
    var nextDeadline: Duration? {
        guard !waiting.isEmpty || !slowWaiting.isEmpty && runningSlow.count < maxThreads / 2 else { return nil }
        if let lowered, running.count >= lowered.maxThreads { return lowered.until }
        guard running.count < maxThreads, running.count >= concurrencyLimit else { return nil }
        // All lookups that count have started after this one.
        return running[running.count - concurrencyLimit].since + Self.slotTimeout
    }

    /// Adds a name to the queue.
    mutating func add(_ name: NameQuery) {
        if slow.contains(name) { slowWaiting.append(name) } else { waiting.append(name) }
    }

    /// Returns the names to look up now. Names whose last lookup was slow leave half of the threads to the others.
    mutating func start(at time: Duration) -> [NameQuery] {
        if let lowered, lowered.until <= time { self.lowered = nil }
        let counting = running.reversed().prefix { $0.since + Self.slotTimeout > time }.count
        let free = min(concurrencyLimit - counting, (lowered?.maxThreads ?? maxThreads) - running.count)
        var started: [NameQuery] = []
        while started.count < free, let name = waiting.popFirst() ?? nextSlow() {
            started.append(name)
            running.append((name, time))
        }
        return started
    }

    private mutating func nextSlow() -> NameQuery? {
        guard runningSlow.count < max(1, maxThreads / 2), let name = slowWaiting.popFirst() else { return nil }
        runningSlow.insert(name)
        return name
    }

    /// Whether this is the only lookup in flight.
    func isAlone(_ name: NameQuery) -> Bool {
        running.count == 1 && running[0].name == name
    }

    /// Returns a name to the queue because there is no thread, and starts no more lookups for a while.
    mutating func postpone(_ name: NameQuery, at time: Duration) {
        guard let index = running.lastIndex(where: { $0.name == name }) else { return }
        running.remove(at: index)
        if runningSlow.remove(name) != nil { slowWaiting = [name] + slowWaiting } else { waiting = [name] + waiting }
        lowered = (running.count, time + Self.refusalPause)
    }

    /// Records the end of a lookup.
    mutating func end(_ name: NameQuery, at time: Duration) {
        guard let index = running.firstIndex(where: { $0.name == name }) else { return }
        runningSlow.remove(name)
        if running.remove(at: index).since + Self.slowThreshold > time { slow.remove(name) } else { slow.insert(name) }
    }

    /// Removes a name that no target needs.
    mutating func forget(_ name: NameQuery) {
        slow.remove(name)
    }
}
