import NIOCore

/// Name lookups whose concurrent callers share one lookup of each name. Confined to its event loop.
final class SharedLookups {
    private struct Caller {
        let deadline: Duration?
        let completion: (Resolution) -> Void
    }

    private let gate: LoopGate
    private let queue: LookupQueue
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    /// Called with the result of each lookup before the callers get it; nil if the deadlines of all callers passed before it
    /// began.
    var ended: (NameQuery, Resolution?) -> Void = { _, _ in }
    private var callers: [NameQuery: [Caller]] = [:]
    private var isStartScheduled = false
    private lazy var pool = LookupPool(
        gate: gate,
        queue: queue,
        resolve: resolve,
        time: time,
        isWanted: { [weak self] in self?.isWanted($0) ?? false },
        ended: { [weak self] in self?.finish($0, with: $1) }
    )

    /// - Parameters:
    ///   - concurrencyLimit: the maximum number of names looked up at the same time.
    ///   - maxThreads: the maximum number of threads, including those whose lookup hangs.
    init(
        gate: LoopGate,
        concurrencyLimit: Int,
        maxThreads: Int,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration
    ) {
        self.gate = gate
        queue = LookupQueue(concurrencyLimit: concurrencyLimit, maxThreads: maxThreads)
        self.resolve = resolve
        self.time = time
    }

    /// Looks a name up, and calls `completion` with the result.
    ///
    /// - Parameter deadline: the time after which the call may be omitted; nil if the result is needed at any time.
    func lookUp(_ name: NameQuery, until deadline: Duration?, completion: @escaping (Resolution) -> Void) {
        let isRunning = callers[name] != nil
        callers[name, default: []].append(Caller(deadline: deadline, completion: completion))
        guard !isRunning else { return }
        pool.add(name, at: time())
        scheduleStart()
    }

    /// Whether a lookup of this name is queued or running.
    func isRunning(_ name: NameQuery) -> Bool { callers[name] != nil }

    /// Ends the threads, and drops all callers.
    func close() {
        callers = [:]
        pool.close()
    }

    private func isWanted(_ name: NameQuery) -> Bool {
        let now = time()
        return callers[name]?.contains { $0.deadline.map { $0 > now } ?? true } ?? false
    }

    private func finish(_ name: NameQuery, with resolution: Resolution?) {
        let all = callers.removeValue(forKey: name) ?? []
        ended(name, resolution)
        if let resolution { for caller in all { caller.completion(resolution) } }
        scheduleStart()
    }

    /// Starts the lookups that are queued behind hanging ones when these free their places.
    private func scheduleStart() {
        guard !isStartScheduled, !callers.isEmpty, let due = pool.nextDeadline else { return }
        isStartScheduled = true
        gate.schedule(in: max(.milliseconds(1), due - time())) { [weak self] in
            guard let self else { return }
            isStartScheduled = false
            pool.start(at: time())
            scheduleStart()
        }
    }
}
