import Monitoring
import NIOCore

/// Looks up the names that redirects lead to. They are the servers' choice and not the user's: they have threads of
/// their own, so that the user's names never wait for them, and are forgotten when there are more than targets. A probe
/// waits for its turn until its deadline. Confined to its event loop.
final class WaysideNames {
    /// How many names are remembered at least.
    static let least = 64
    /// How many names are looked up at the same time, and how many threads hang at the most.
    private static let places = 16
    private static let threads = 64

    /// A probe that waits for a name.
    private struct Waiting {
        let deadline: Duration
        let then: (Resolution) -> Void
    }

    private let gate: LoopGate
    private let targets: () -> Int
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    private var book = AddressBook()
    /// The oldest first.
    private var names: [NameQuery] = []
    private var waiting: [NameQuery: [Waiting]] = [:]
    private lazy var lookups = LookupPool(
        gate: gate,
        queue: LookupQueue(places: Self.places, most: Self.threads),
        resolve: resolve,
        time: time,
        isWanted: { [weak self] in self?.isAwaited($0) ?? false },
        ended: { [weak self] in self?.record($1, of: $0) }
    )

    /// - Parameter targets: how many targets there are.
    init(
        gate: LoopGate,
        targets: @escaping () -> Int,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration
    ) {
        self.gate = gate
        self.targets = targets
        self.resolve = resolve
        self.time = time
    }

    /// When ``expire(at:)`` has something to do.
    var nextDeadline: Duration? { waiting.isEmpty ? nil : lookups.nextDeadline }

    /// Finds addresses, now or later. After the deadline, nothing need come of it.
    func find(_ name: NameQuery, until deadline: Duration, then: @escaping (Resolution) -> Void) {
        if let literal = IPAddress(literal: name.host) {
            return then(name.family.admits(literal) ? .addresses([literal]) : .failure(name.wrongAddress))
        }
        let now = time()
        let (answer, startsLookup) = book.ask(name, at: now)
        switch answer {
        case .address(let address): then(.addresses([address]))
        case .addresses(let addresses): then(.addresses(addresses))
        case .failure(let failure): then(.failure(failure))
        case .fault(let fault): then(.fault(fault))
        case .awaited: waiting[name, default: []].append(Waiting(deadline: deadline, then: then))
        }
        if startsLookup {
            remember(name)
            lookups.add(name, at: now)
        }
    }

    /// Starts what waits behind lookups that hang.
    func expire(at time: Duration) {
        if !waiting.isEmpty { lookups.start(at: time) }
    }

    /// Lets the threads go.
    func close() {
        waiting = [:]
        lookups.close()
    }

    private func isAwaited(_ name: NameQuery) -> Bool {
        // An old address that is refreshed has nobody who waits.
        guard let all = waiting[name] else { return true }
        let now = time()
        return all.contains { $0.deadline > now }
    }

    private func remember(_ name: NameQuery) {
        names.removeAll { $0 == name }
        names.append(name)
        if names.count > max(Self.least, targets()), let oldest = names.firstIndex(where: { waiting[$0] == nil }) {
            book.forget(names.remove(at: oldest))
        }
    }

    private func record(_ resolution: Resolution?, of name: NameQuery) {
        let all = waiting.removeValue(forKey: name) ?? []
        guard let resolution else {
            names.removeAll { $0 == name }
            return book.forget(name)
        }
        _ = book.record(resolution, of: name, at: time())
        let usable: Resolution =
            if case .addresses(let found) = resolution { .addresses(found.interleaved) } else { resolution }
        for one in all { one.then(usable) }
    }
}
