import Monitoring
import NIOCore
import NIOPosix
import Synchronization

/// Runs searches on threads of its own, for all event loops. A pattern that backtracks badly may take for ever, and nothing can
/// end it: it must hold up neither an event loop nor the threads that the program's tasks share.
final class SearchPool: Sendable {
    private struct Job: Sendable {
        let search: Search
        let finish: @Sendable (Result<Search.Match, Fault>) -> Void
    }

    private struct State: Sendable {
        var queue = SearchQueue<Job>()
        /// Threads without a search, each in a pool of its own.
        var idle: [NIOThreadPool] = []
        /// The threads that search, by pattern, but for those that were put behind all others.
        var searching: [String: BackgroundThread] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let start = SuspendingClock.now

    deinit {
        close()
    }

    private var now: Duration { SuspendingClock.now - start }

    /// Whether any search runs.
    var isBusy: Bool { state.withLock { $0.queue.isBusy } }

    /// Runs a search; `finish` is called on any thread.
    func run(_ search: Search, finish: @escaping @Sendable (Result<Search.Match, Fault>) -> Void) {
        let job = Job(search: search, finish: finish)
        let admission = state.withLock {
            $0.queue.add(job, for: search.pattern, size: search.text.count, at: now)
        }
        switch admission {
        case .begins: begin(job)
        case .waits: break
        case .refused: finish(.failure(Fault(slow: search.pattern)))
        }
    }

    /// Begins what waits behind slow searches, and refuses what waits for one that does not end.
    func expire() {
        let (started, refused) = state.withLock { state in
            // What does not end takes only the time that nothing else needs.
            for pattern in state.queue.endless(at: now) where state.searching[pattern]?.lower() == true {
                state.searching[pattern] = nil
            }
            return state.queue.expire(at: now)
        }
        for start in refused { start.job.finish(.failure(Fault(slow: start.pattern))) }
        for start in started { begin(start.job) }
    }

    /// The fault of a pattern whose search takes too long; nil for others.
    func fault(of pattern: String) -> Fault? {
        state.withLock { $0.queue.isSlow(pattern, at: now) } ? Fault(slow: pattern) : nil
    }

    /// Lets the threads go. One that still searches is not waited for.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for thread in idle { thread.shutdownGracefully { _ in } }
    }

    private func begin(_ job: Job) {
        let thread = state.withLock { $0.idle.popLast() } ?? Self.newThread()
        thread.submit { [self] state in
            guard case .active = state else { return }
            work(on: thread, job)
        }
    }

    /// Runs a search, and then those that take its place.
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
            for start in started.dropFirst(isLowered ? 0 : 1) { begin(start.job) }
        }
        let isOver = state.withLock { state in
            let isNeeded = !isLowered && !state.isClosed && state.idle.count < SearchQueue<Job>.places
            if isNeeded { state.idle.append(thread) }
            return !isNeeded
        }
        if isOver { thread.shutdownGracefully { _ in } }
    }

    private static func newThread() -> NIOThreadPool {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        return thread
    }
}

extension Fault {
    /// The fault of a pattern whose search does not end.
    fileprivate init(slow pattern: String) {
        let text = String(quoting: pattern.utf8, limit: 40)
        self.init(.internal, detail: "the pattern \(text) takes too long: simplify it")
    }
}
