import Monitoring
import NIOCore

/// Hands searches to the pool, and their results back to one event loop. Confined to it.
final class SearchDesk {
    private let gate: LoopGate
    private let pool: SearchPool
    /// Whether the pool will be looked after.
    private var willExpire = false

    init(gate: LoopGate, pool: SearchPool) {
        self.gate = gate
        self.pool = pool
    }

    /// Runs a search after its pause, and hands over what it comes to, or the fault that it cannot be run.
    func run(_ search: Search, then: @escaping (Result<Search.Match, Fault>) -> Void) {
        guard search.pause > .zero else { return begin(search, then: then) }
        let bound = NIOLoopBound((desk: self, then: then), eventLoop: gate.loop)
        gate.loop.scheduleTask(in: .nanoseconds(search.pause.nanoseconds)) {
            bound.value.desk.begin(search, then: bound.value.then)
        }
    }

    /// The fault of a pattern whose search takes too long; nil for others.
    func fault(of pattern: String) -> Fault? {
        pool.fault(of: pattern)
    }

    private func begin(_ search: Search, then: @escaping (Result<Search.Match, Fault>) -> Void) {
        let gate = gate
        let bound = NIOLoopBound(then, eventLoop: gate.loop)
        pool.run(search) { result in
            gate.enter { bound.value(result) }
        }
        expireLater()
    }

    private func expireLater() {
        guard !willExpire else { return }
        willExpire = true
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.scheduleTask(in: .nanoseconds(SearchQueue<Void>.patience.nanoseconds)) {
            let desk = bound.value
            desk.willExpire = false
            guard desk.pool.isBusy else { return }
            desk.pool.expire()
            desk.expireLater()
        }
    }
}
