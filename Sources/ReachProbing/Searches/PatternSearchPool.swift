import NIOCore
import ReachMonitoring
import Synchronization

/// A thread pool for the pattern searches of all event loops.
///
/// A pattern with catastrophic backtracking may never end, and cannot be cancelled. It must block neither an event loop
/// nor Swift's cooperative thread pool.
final class PatternSearchPool: Sendable {
    private struct Job: Sendable {
        let search: PatternSearch
        let finish: @Sendable (Result<PatternSearch.Match, Fault>) -> Void
    }

    private struct State: Sendable {
        var queue = PatternSearchQueue<Job>()
        var idle: [WorkerThread] = []
        /// The threads of running searches by pattern, except those whose priority was lowered.
        var searching: [String: WorkerThread] = [:]
        /// The patterns that have been compiled.
        var compiled: [String: CompiledPattern] = [:]
        var isClosed = false

        mutating func keep(_ pattern: CompiledPattern, for text: String) {
            if compiled.count >= PatternSearchPool.maxCompiled { compiled = [:] }
            compiled[text] = pattern
        }
    }

    /// The maximum number of compiled patterns that are kept, more than most settings have. Clients of `/probe` choose
    /// theirs.
    private static let maxCompiled = 1_024
    /// The size of a stack in bytes: a regular expression is parsed recursively.
    private static let stackSize = 8 << 20

    private let state = Mutex(State())
    private let epoch = SuspendingClock.now

    deinit {
        close()
    }

    private var now: Duration { SuspendingClock.now - epoch }

    /// Whether any search runs.
    var isBusy: Bool { state.withLock { $0.queue.isBusy } }

    /// Runs a search; `finish` is called on any thread.
    func run(_ search: PatternSearch, finish: @escaping @Sendable (Result<PatternSearch.Match, Fault>) -> Void) {
        let job = Job(search: search, finish: finish)
        let admission = state.withLock {
            $0.queue.add(job, for: search.pattern, size: search.text.count, at: now)
        }
        switch admission {
        case .started: start(job)
        case .queued: break
        case .rejected: finish(.failure(Fault(slow: search.pattern)))
        }
    }

    /// Starts the searches that wait behind slow ones, and rejects those whose pattern is disabled.
    func expire() {
        let (started, rejected) = state.withLock { state in
            // Lower priority, so that a runaway pattern cannot starve the event loops.
            for pattern in state.queue.endless(at: now) {
                guard let thread = state.searching[pattern], thread.lowerPriority(to: WorkerThread.lowest) else {
                    continue
                }
                state.searching[pattern] = nil
            }
            return state.queue.expire(at: now)
        }
        for search in rejected { search.job.finish(.failure(Fault(slow: search.pattern))) }
        for search in started { start(search.job) }
    }

    /// Returns the fault of a pattern whose search is slow; nil for other patterns.
    func fault(of pattern: String) -> Fault? {
        state.withLock { $0.queue.isSlow(pattern, at: now) } ? Fault(slow: pattern) : nil
    }

    /// Stops the threads. Does not wait for running searches, which get the lowest priority.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            state.searching = state.searching.filter { !$0.value.lowerPriority(to: WorkerThread.lowest) }
            defer { state.idle = [] }
            return state.idle
        }
        for thread in idle { thread.close() }
    }

    private func start(_ job: Job) {
        let thread = state.withLock { state in
            let thread =
                state.idle.popLast() ?? WorkerThread(stackSize: Self.stackSize, nice: WorkerThread.background)
            state.searching[job.search.pattern] = thread
            return thread
        }
        guard let thread else {
            let started = state.withLock { $0.queue.end(job.search.pattern, at: now) }
            job.finish(.failure(Fault(.noMemory, detail: "no thread for a pattern search")))
            return started.forEach { start($0.job) }
        }
        thread.run { [self] in work(on: thread, job) }
    }

    /// Runs a search, and then the next ones in the queue.
    private func work(on thread: WorkerThread, _ first: Job) {
        var next: Job? = first
        var isLowered = false
        while let job = next {
            let pattern = job.search.pattern
            state.withLock { $0.searching[pattern] = thread }
            let compiled = state.withLock { $0.compiled[pattern] } ?? CompiledPattern(pattern)
            let result = job.search.run(by: compiled)
            let started = state.withLock { state in
                state.keep(compiled, for: pattern)
                isLowered = state.searching.removeValue(forKey: pattern) == nil
                return state.queue.end(pattern, at: now)
            }
            job.finish(result)
            next = isLowered ? nil : started.first?.job
            for search in started.dropFirst(isLowered ? 0 : 1) { start(search.job) }
        }
        let isOver = state.withLock { state in
            let isNeeded = !isLowered && !state.isClosed && state.idle.count < PatternSearchQueue<Job>.maxConcurrent
            if isNeeded { state.idle.append(thread) }
            return !isNeeded
        }
        if isOver { thread.close() }
    }
}

extension Fault {
    /// Creates the fault of a pattern whose search is slow.
    fileprivate init(slow pattern: String) {
        let text = String(quoting: pattern.utf8, limit: 40)
        self.init(.internal, detail: "the pattern \(text) takes too long – simplify it")
    }
}

/// The queue of pattern searches, as a state machine that decides which start, wait or are rejected.
///
/// At most one search per pattern runs at a time, and a few in total. A slow search does not count, so that the others
/// continue. A search that exceeds the time limit disables its pattern until it ends, and no other pattern.
struct PatternSearchQueue<Job> {
    /// The maximum number of concurrent searches, without slow ones.
    static var maxConcurrent: Int { 8 }
    /// The duration after which a search is slow, and another one may start.
    static var slowThreshold: Duration { .milliseconds(100) }
    /// The duration after which the pattern of a search is disabled until the search ends.
    static var timeLimit: Duration { .seconds(5) }
    /// The maximum number of bytes of queued text per pattern.
    static var maxQueuedBytes: Int { 64 << 20 }

    /// A queued search.
    struct Entry {
        let pattern: String
        let job: Job
    }

    /// The decision on a new search.
    enum Admission {
        case started
        case queued
        /// Its pattern is disabled, or its backlog is full.
        case rejected
    }

    fileprivate struct Backlog {
        var jobs = CircularBuffer<(job: Job, size: Int)>()
        var size = 0
    }

    /// The start of the running search of each pattern.
    private var running: [String: Duration] = [:]
    private var backlogs: [String: Backlog] = [:]
    /// The patterns that wait to start, in order.
    private var waitingPatterns = CircularBuffer<String>()

    /// Whether any search runs.
    var isBusy: Bool { !running.isEmpty }

    /// Adds a search, and returns whether it starts.
    ///
    /// - Parameter size: the length of its text in bytes.
    mutating func add(_ job: Job, for pattern: String, size: Int, at time: Duration) -> Admission {
        if let start = running[pattern] {
            guard time - start < Self.timeLimit, backlogs[pattern]?.size ?? 0 <= Self.maxQueuedBytes else {
                return .rejected
            }
        } else if backlogs[pattern] == nil {
            if canStart(at: time) {
                running[pattern] = time
                return .started
            }
            waitingPatterns.append(pattern)
        }
        backlogs[pattern, default: Backlog()].jobs.append((job, size))
        backlogs[pattern]?.size += size
        return .queued
    }

    /// Records the end of a pattern's search, and returns the searches to start.
    mutating func end(_ pattern: String, at time: Duration) -> [Entry] {
        running[pattern] = nil
        // Other patterns come first, or a pattern of many targets would block them.
        if backlogs[pattern] != nil { waitingPatterns.append(pattern) }
        return startNext(at: time)
    }

    /// Returns the searches to start beside slow ones, and those that are rejected because their pattern is disabled.
    mutating func expire(at time: Duration) -> (started: [Entry], rejected: [Entry]) {
        var rejected: [Entry] = []
        for (pattern, start) in running where time - start >= Self.timeLimit {
            guard let backlog = backlogs.removeValue(forKey: pattern) else { continue }
            rejected += backlog.jobs.map { Entry(pattern: pattern, job: $0.job) }
        }
        return (startNext(at: time), rejected)
    }

    /// Returns whether the running search of a pattern is slow.
    func isSlow(_ pattern: String, at time: Duration) -> Bool {
        running[pattern].map { time - $0 >= Self.slowThreshold } ?? false
    }

    /// Returns the patterns whose search exceeds the time limit.
    func endless(at time: Duration) -> [String] {
        running.filter { time - $0.value >= Self.timeLimit }.map(\.key)
    }

    private func canStart(at time: Duration) -> Bool {
        running.count < Self.maxConcurrent
            || running.values.count { time - $0 < Self.slowThreshold } < Self.maxConcurrent
    }

    private mutating func startNext(at time: Duration) -> [Entry] {
        var started: [Entry] = []
        while let pattern = waitingPatterns.first, canStart(at: time) {
            waitingPatterns.removeFirst()
            guard var backlog = backlogs.removeValue(forKey: pattern), let first = backlog.jobs.popFirst() else {
                continue
            }
            backlog.size -= first.size
            if !backlog.jobs.isEmpty { backlogs[pattern] = backlog }
            running[pattern] = time
            started.append(Entry(pattern: pattern, job: first.job))
        }
        return started
    }
}

extension PatternSearchQueue.Backlog: Sendable where Job: Sendable {}

extension PatternSearchQueue: Sendable where Job: Sendable {}

/// Runs pattern searches on the pool, and returns their results to one event loop. Confined to it.
final class PatternSearcher {
    private let gate: LoopGate
    private let pool: PatternSearchPool
    /// Whether a task is scheduled that checks the pool for slow searches.
    private var isExpiryScheduled = false

    init(gate: LoopGate, pool: PatternSearchPool) {
        self.gate = gate
        self.pool = pool
    }

    /// Runs a search after its pause, and calls `completion` with the match, or with the fault of the pattern.
    func run(_ search: PatternSearch, completion: @escaping (Result<PatternSearch.Match, Fault>) -> Void) {
        guard search.pause > .zero else { return start(search, completion: completion) }
        gate.schedule(in: search.pause) { [self] in start(search, completion: completion) }
    }

    /// Returns the fault of a pattern whose search is slow; nil for other patterns.
    func fault(of pattern: String) -> Fault? {
        pool.fault(of: pattern)
    }

    private func start(_ search: PatternSearch, completion: @escaping (Result<PatternSearch.Match, Fault>) -> Void) {
        let gate = gate
        let bound = NIOLoopBound(completion, eventLoop: gate.loop)
        pool.run(search) { result in
            gate.enter { bound.value(result) }
        }
        scheduleExpiry()
    }

    private func scheduleExpiry() {
        guard !isExpiryScheduled else { return }
        isExpiryScheduled = true
        gate.schedule(in: PatternSearchQueue<Void>.slowThreshold) { [self] in
            isExpiryScheduled = false
            guard pool.isBusy else { return }
            pool.expire()
            scheduleExpiry()
        }
    }
}
