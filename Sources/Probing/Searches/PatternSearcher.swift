import Monitoring
import NIOCore

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
        let bound = NIOLoopBound((searcher: self, completion: completion), eventLoop: gate.loop)
        gate.loop.scheduleTask(in: .nanoseconds(search.pause.nanoseconds)) {
            bound.value.searcher.start(search, completion: bound.value.completion)
        }
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
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.scheduleTask(in: .nanoseconds(PatternSearchQueue<Void>.slowThreshold.nanoseconds)) {
            let searcher = bound.value
            searcher.isExpiryScheduled = false
            guard searcher.pool.isBusy else { return }
            searcher.pool.expire()
            searcher.scheduleExpiry()
        }
    }
}
