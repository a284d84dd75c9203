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
    private let resolve: @Sendable (String) -> Resolution
    private let time: () -> Duration
    private var book = AddressBook()
    private var hosts: [String] = []
    private var waiting: [String: [(Resolution) -> Void]] = [:]
    private var isRunning = false

    init(gate: LoopGate, resolve: @escaping @Sendable (String) -> Resolution, time: @escaping () -> Duration) {
        self.gate = gate
        self.resolve = resolve
        self.time = time
    }

    deinit {
        pool.shutdownGracefully { _ in }
    }

    /// Finds addresses, now or later. A look-up that hangs is not given up; whoever asks has a deadline.
    func find(_ host: String, then: @escaping (Resolution) -> Void) {
        if let literal = IPAddress(literal: host) { return then(.addresses([literal])) }
        let (answer, startsLookup) = book.ask(host, at: time())
        switch answer {
        case .address(let address):
            then(.addresses([address]))
        case .failure(let failure):
            then(.failure(failure))
        case .awaited:
            let queue = waiting[host]
            guard queue?.count ?? 0 < Self.most, queue != nil || waiting.count < Self.threads else {
                if startsLookup { book.forget(host) }
                return then(.failure(Failure(.resolverFailed, detail: "too many redirects wait for the resolver")))
            }
            waiting[host, default: []].append(then)
        }
        if startsLookup { lookUp(host) }
    }

    private func lookUp(_ host: String) {
        if !isRunning {
            pool.start()
            isRunning = true
        }
        hosts.removeAll { $0 == host }
        hosts.append(host)
        if hosts.count > Self.most, let oldest = hosts.firstIndex(where: { waiting[$0] == nil }) {
            book.forget(hosts.remove(at: oldest))
        }
        let (gate, resolve) = (gate, resolve)
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        pool.submit { state in
            guard case .active = state else { return }
            let resolution = resolve(host)
            gate.enter { bound.value.record(resolution, of: host) }
        }
    }

    private func record(_ resolution: Resolution, of host: String) {
        _ = book.record(resolution, of: host, at: time())
        for then in waiting.removeValue(forKey: host) ?? [] { then(resolution) }
    }
}
