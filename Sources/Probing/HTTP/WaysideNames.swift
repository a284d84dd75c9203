import Monitoring
import NIOCore
import NIOPosix

/// Looks up the names that redirects lead to. They are the servers' choice and not the user's: they have threads of
/// their own, so that the user's names never wait for them, and are forgotten when there are many. Confined to its
/// event loop.
final class WaysideNames {
    /// How many names are looked up at the same time, and how many are remembered.
    static let threads = 4
    static let most = 64

    private let gate: LoopGate
    private let pool = NIOThreadPool(numberOfThreads: WaysideNames.threads)
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    private var book = AddressBook()
    private var names: [NameQuery] = []
    private var waiting: [NameQuery: [(Resolution) -> Void]] = [:]
    private var isRunning = false

    init(gate: LoopGate, resolve: @escaping @Sendable (NameQuery) -> Resolution, time: @escaping () -> Duration) {
        self.gate = gate
        self.resolve = resolve
        self.time = time
    }

    deinit {
        pool.shutdownGracefully { _ in }
    }

    /// Finds addresses, now or later. A look-up that hangs is not given up; whoever asks has a deadline.
    func find(_ name: NameQuery, then: @escaping (Resolution) -> Void) {
        if let literal = IPAddress(literal: name.host) {
            return then(name.family.admits(literal) ? .addresses([literal]) : .failure(name.wrongAddress))
        }
        let (answer, startsLookup) = book.ask(name, at: time())
        switch answer {
        case .address(let address):
            then(.addresses([address]))
        case .addresses(let addresses):
            then(.addresses(addresses))
        case .failure(let failure):
            then(.failure(failure))
        case .fault(let fault):
            then(.fault(fault))
        case .awaited:
            let queue = waiting[name]
            guard queue?.count ?? 0 < Self.most, queue != nil || waiting.count < Self.threads else {
                if startsLookup { book.forget(name) }
                return then(.failure(Failure(.resolverFailed, detail: "too many redirects wait for the resolver")))
            }
            waiting[name, default: []].append(then)
        }
        if startsLookup { lookUp(name) }
    }

    private func lookUp(_ name: NameQuery) {
        if !isRunning {
            pool.start()
            isRunning = true
        }
        names.removeAll { $0 == name }
        names.append(name)
        if names.count > Self.most, let oldest = names.firstIndex(where: { waiting[$0] == nil }) {
            book.forget(names.remove(at: oldest))
        }
        let (gate, resolve) = (gate, resolve)
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        pool.submit { state in
            guard case .active = state else { return }
            let resolution = resolve(name)
            gate.enter { bound.value.record(resolution, of: name) }
        }
    }

    private func record(_ resolution: Resolution, of name: NameQuery) {
        _ = book.record(resolution, of: name, at: time())
        for then in waiting.removeValue(forKey: name) ?? [] { then(resolution) }
    }
}
