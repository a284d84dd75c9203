import NIOCore
import ReachBasics
import ReachMonitoring

/// A resolver and cache for the names in redirects. Confined to its event loop.
///
/// The servers choose these names, not the user. Their lookups have threads of their own, so that lookups of the user's
/// names never wait for them. The cache evicts the oldest names when it holds more names than there are targets. A
/// probe waits for its lookup until its deadline.
final class RedirectResolver {
    /// The minimum capacity of the cache.
    static let minimumCapacity = 64
    /// The maximum number of concurrent lookups, and of threads including those whose lookup hangs.
    private static let maxConcurrent = 16
    private static let maxThreads = 64

    /// A probe that waits for a lookup.
    private struct Waiter {
        let deadline: Duration
        let completion: (Resolution) -> Void
    }

    private let gate: LoopGate
    private let targetCount: () -> Int
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let time: () -> Duration
    private var cache = AddressCache()
    /// The cached names, the oldest first.
    private var names: [NameQuery] = []
    private var waiters: [NameQuery: [Waiter]] = [:]
    private lazy var lookups = LookupPool(
        gate: gate,
        queue: LookupQueue(concurrencyLimit: Self.maxConcurrent, maxThreads: Self.maxThreads),
        resolve: resolve,
        time: time,
        isWanted: { [weak self] in self?.isAwaited($0) ?? false },
        ended: { [weak self] in self?.record($1, of: $0) }
    )

    /// - Parameter targets: returns the number of targets.
    init(
        gate: LoopGate,
        targets: @escaping () -> Int,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration
    ) {
        self.gate = gate
        targetCount = targets
        self.resolve = resolve
        self.time = time
    }

    /// When to call ``expire(at:)``; nil while no probe waits.
    var nextDeadline: Duration? { waiters.isEmpty ? nil : lookups.nextDeadline }

    /// Resolves a name, and calls `completion` at once or later. After the deadline, the call may be omitted.
    func lookUp(_ name: NameQuery, until deadline: Duration, completion: @escaping (Resolution) -> Void) {
        if let literal = IPAddress(literal: name.host) {
            return completion(name.family.admits(literal) ? .addresses([literal]) : .failure(name.wrongAddress))
        }
        let now = time()
        let (answer, startsLookup) = cache.lookUp(name, at: now)
        switch answer {
        case .address(let address): completion(.addresses([address]))
        case .addresses(let addresses): completion(.addresses(addresses))
        case .failure(let failure): completion(.failure(failure))
        case .fault(let fault): completion(.fault(fault))
        case .pending: waiters[name, default: []].append(Waiter(deadline: deadline, completion: completion))
        }
        if startsLookup {
            remember(name)
            lookups.add(name, at: now)
        }
    }

    /// Starts the lookups that are queued behind hanging ones.
    func expire(at time: Duration) {
        if !waiters.isEmpty { lookups.start(at: time) }
    }

    /// Stops the threads, and drops all waiting probes.
    func close() {
        waiters = [:]
        lookups.close()
    }

    private func isAwaited(_ name: NameQuery) -> Bool {
        // The refresh of a stale address has no waiter, but is wanted.
        guard let all = waiters[name] else { return true }
        let now = time()
        return all.contains { $0.deadline > now }
    }

    private func remember(_ name: NameQuery) {
        names.removeAll { $0 == name }
        names.append(name)
        let capacity = max(Self.minimumCapacity, targetCount())
        if names.count > capacity, let oldest = names.firstIndex(where: { waiters[$0] == nil }) {
            cache.forget(names.remove(at: oldest))
        }
    }

    private func record(_ resolution: Resolution?, of name: NameQuery) {
        let all = waiters.removeValue(forKey: name) ?? []
        guard let resolution else {
            names.removeAll { $0 == name }
            return cache.forget(name)
        }
        _ = cache.record(resolution, of: name, at: time())
        let usable: Resolution =
            if case .addresses(let found) = resolution { .addresses(found.interleaved) } else { resolution }
        for waiter in all { waiter.completion(usable) }
    }
}

extension Failure {
    /// Creates the failure of a redirect that cannot be followed. Its message has no user info, query and fragment.
    init(redirect location: String) {
        let whole = String(location.prefix { $0 != "?" && $0 != "#" })
        let shown = whole.withoutCredentials
        let place = "redirects to \"\(String(quoting: shown.utf8))\""
        self.init(.protocolError, detail: shown == whole ? place : "\(place): user info is not followed")
    }
}

extension HTTPQuestion {
    /// Returns the message for a redirect beyond the limit; nil if this status is not followed.
    func limitMessage(at status: Int) -> String? {
        guard isFollowed(status) else { return nil }
        let times = options.follow == 1 ? "time" : "times"
        return "redirects more than \(options.follow) \(times) (follow = \(options.follow))"
    }
}
