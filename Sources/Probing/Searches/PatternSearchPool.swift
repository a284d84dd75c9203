import Monitoring
import NIOCore
import NIOPosix
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
        /// The idle threads, each in a pool of its own.
        var idle: [NIOThreadPool] = []
        /// The searching threads by pattern, without those whose priority was lowered.
        var searching: [String: BackgroundThread] = [:]
        var isClosed = false
    }

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
            // An endless search gets the lowest priority, so that it uses only idle CPU time.
            for pattern in state.queue.endless(at: now) {
                guard let thread = state.searching[pattern], thread.lowerPriority(to: BackgroundThread.lowest) else {
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

    /// The threads that search with their first priority, by pattern.
    var searchingThreads: [String: BackgroundThread] { state.withLock { $0.searching } }

    /// Stops the threads. Does not wait for running searches, which get the lowest priority.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            state.searching = state.searching.filter { !$0.value.lowerPriority(to: BackgroundThread.lowest) }
            defer { state.idle = [] }
            return state.idle
        }
        for thread in idle { thread.shutdownGracefully { _ in } }
    }

    private func start(_ job: Job) {
        let thread = state.withLock { $0.idle.popLast() } ?? Self.newThread()
        thread.submit { [self] state in
            guard case .active = state else { return }
            work(on: thread, job)
        }
    }

    /// Runs a search, and then the next ones in the queue.
    private func work(on thread: NIOThreadPool, _ first: Job) {
        var next: Job? = first
        var isLowered = false
        while let job = next {
            let pattern = job.search.pattern
            state.withLock { $0.searching[pattern] = .current }
            let result = job.search.run()
            let started = state.withLock { state in
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
        if isOver { thread.shutdownGracefully { _ in } }
    }

    private static func newThread() -> NIOThreadPool {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        // At the same priority, eight endless searches on two processors have delayed the event loops by 100 ms.
        thread.submit { _ in BackgroundThread.current.lowerPriority(to: BackgroundThread.searching) }
        return thread
    }
}

extension Fault {
    /// Creates the fault of a pattern whose search is slow.
    fileprivate init(slow pattern: String) {
        let text = String(quoting: pattern.utf8, limit: 40)
        self.init(.internal, detail: "the pattern \(text) takes too long – simplify it")
    }
}
