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

    private let targetCount: () -> Int
    private let time: () -> Duration
    private var cache = AddressCache()
    /// The cached names, the oldest first.
    private var names: [NameQuery] = []
    private let lookups: SharedLookups

    /// - Parameter targets: returns the number of targets.
    init(
        gate: LoopGate,
        targets: @escaping () -> Int,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration
    ) {
        targetCount = targets
        self.time = time
        lookups = SharedLookups(
            gate: gate,
            concurrencyLimit: Self.maxConcurrent,
            maxThreads: Self.maxThreads,
            resolve: resolve,
            time: time
        )
        lookups.ended = { [weak self] in self?.record($1, of: $0) }
    }

    /// Resolves a name, and calls `completion` at once or later. After the deadline, the call may be omitted.
    func lookUp(_ name: NameQuery, until deadline: Duration, completion: @escaping (Resolution) -> Void) {
        if let resolution = Resolution(literal: name) { return completion(resolution) }
        let (answer, startsLookup) = cache.lookUp(name, at: time())
        if startsLookup { remember(name) }
        switch answer {
        case .pending:
            return lookups.lookUp(name, until: deadline) { resolution in
                if case .addresses(let found) = resolution {
                    completion(.addresses(found.interleaved))
                } else {
                    completion(resolution)
                }
            }
        case .address(let address): completion(.addresses([address]))
        case .addresses(let addresses): completion(.addresses(addresses))
        case .failure(let failure): completion(.failure(failure))
        case .fault(let fault): completion(.fault(fault))
        }
        // No caller waits for the refresh of a stale address.
        if startsLookup { lookups.lookUp(name, until: nil) { _ in } }
    }

    /// Stops the threads, and drops all waiting probes.
    func close() {
        lookups.close()
    }

    private func remember(_ name: NameQuery) {
        names.removeAll { $0 == name }
        let capacity = max(Self.minimumCapacity, targetCount())
        if names.count >= capacity, let oldest = names.firstIndex(where: { !lookups.isRunning($0) }) {
            cache.forget(names.remove(at: oldest))
        }
        names.append(name)
    }

    private func record(_ resolution: Resolution?, of name: NameQuery) {
        if let resolution {
            _ = cache.record(resolution, of: name, at: time())
        } else {
            names.removeAll { $0 == name }
            cache.forget(name)
        }
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
