import NIOCore
import ReachMonitoring

/// The name resolver of a lane. It looks names up off the event loop, and holds the probes that wait for a lookup.
/// Confined to its event loop.
///
/// SwiftNIO's own resolver looks up one name after the other: one dead server would delay every connection behind it.
final class NameResolver {
    /// The number of names that an engine looks up at the same time.
    static let concurrencyLimit = 48
    /// The maximum number of threads of a resolver: each lookup that hangs holds one, with a small stack. With few
    /// cores, one resolver has all names.
    static let maxThreads = 1_280
    /// The descriptors required for each lookup; with fewer descriptors, fewer names are looked up at the same time.
    private static let descriptorsPerLookup: UInt = 16

    /// An event of the resolver.
    enum Event {
        /// The address of a probe's target is known.
        case resolved(Probe)
        /// The target of a probe has these addresses, two or more, in the order of preference.
        case found(Probe, [IPAddress])
        /// A probe has ended without an address.
        case ended(Probe, Outcome)
        /// The addresses of a name have changed.
        case moved(NameQuery, AddressCache.Change)
    }

    private struct Waiting {
        let probe: Probe
        let name: NameQuery
    }

    private let gate: LoopGate
    private let time: () -> Duration
    private let report: (Event) -> Void
    private var cache = AddressCache()
    private let resolve: @Sendable (NameQuery) -> Resolution
    private let queue: LookupQueue
    private lazy var lookups = LookupPool(
        gate: gate,
        queue: queue,
        resolve: resolve,
        time: time,
        ended: { [weak self] name, resolution in
            if let resolution { self?.record(resolution, of: name) }
        }
    )
    private var waiting = InFlight<Waiting>()
    private var tickets: [NameQuery: [InFlight<Waiting>.Ticket]] = [:]

    /// - Parameters:
    ///   - lanes: the number of lanes of the engine, each with a resolver.
    ///   - descriptors: the descriptor limit. With few descriptors, lookups that hang must not hold them.
    init(
        gate: LoopGate,
        lanes: Int = 1,
        descriptors: DescriptorLimit = .current,
        resolve: @escaping @Sendable (NameQuery) -> Resolution,
        time: @escaping () -> Duration,
        report: @escaping (Event) -> Void
    ) {
        self.gate = gate
        let concurrencyLimit = max(
            1,
            min(Self.concurrencyLimit, Int(clamping: descriptors.soft / Self.descriptorsPerLookup)) / lanes
        )
        let threads = min(Self.maxThreads, Int(clamping: descriptors.soft / Self.descriptorsPerLookup))
        queue = LookupQueue(concurrencyLimit: concurrencyLimit, maxThreads: max(concurrencyLimit, threads))
        self.resolve = resolve
        self.time = time
        self.report = report
    }

    /// When ``expire(at:)`` must be called next.
    var nextDeadline: Duration? {
        [waiting.nextDeadline, lookups.nextDeadline].compactMap(\.self).min()
    }

    /// Finds the address for a probe of a target with this name, at once or when it is resolved.
    func resolveAddress(of name: NameQuery, for probe: Probe) {
        let now = time()
        let (answer, startsLookup) = cache.lookUp(name, at: now)
        if startsLookup {
            lookups.add(name, at: now)
        }
        switch answer {
        case .address(let address):
            var probe = probe
            probe.address = address
            report(.resolved(probe))
        case .addresses(let addresses):
            report(.found(probe, addresses))
        case .failure(let failure):
            report(.ended(probe, .failure(failure)))
        case .fault(let fault):
            report(.ended(probe, .fault(fault)))
        case .pending:
            let ticket = waiting.add(Waiting(probe: probe, name: name), deadline: now + probe.timeout)
            tickets[name, default: []].append(ticket)
        }
    }

    /// The cached addresses of a name; empty if there are none. Stale entries start a lookup.
    func addresses(of name: NameQuery) -> [IPAddress] {
        let now = time()
        let (answer, startsLookup) = cache.lookUp(name, at: now)
        if startsLookup { lookups.add(name, at: now) }
        return answer.addresses
    }

    /// The cached addresses of a name; empty if there are none. Starts no lookup.
    func cachedAddresses(of name: NameQuery) -> [IPAddress] {
        cache.cachedAddresses(of: name)
    }

    /// Ends the probes whose name was not resolved in time, and starts lookups that waited behind hanging ones.
    func expire(at time: Duration) {
        lookups.start(at: time)
        for (ticket, item) in waiting.expire(at: time) {
            tickets[item.name]?.removeAll { $0 == ticket }
            report(.ended(item.probe, .failure(.awaitingResolver(of: item.name.host))))
        }
    }

    /// Discards all waiting probes, without a report.
    func discardInFlight() {
        _ = waiting.removeAll()
        tickets = [:]
    }

    /// Whether probes wait for this name.
    func isAwaited(_ name: NameQuery) -> Bool {
        tickets[name]?.isEmpty == false
    }

    /// Shortens the lifetime of a cached name after a failed probe: it may have another address.
    ///
    /// - Parameter isDown: whether the target was down before.
    func shortenLifetime(of name: NameQuery, isDown: Bool) {
        cache.shortenLifetime(of: name, isDown: isDown)
    }

    /// Makes all names stale after a change of the network; the next query of each starts a lookup.
    func invalidateAll() {
        cache.invalidateAll(at: time())
    }

    /// Makes the names of link-local addresses stale after a change of links; the next query of each starts a lookup.
    func invalidateLinkLocal() {
        cache.invalidateLinkLocal(at: time())
    }

    /// Removes a name that no target needs.
    func forget(_ name: NameQuery) {
        cache.forget(name)
        lookups.forget(name)
    }

    /// Ends the threads. A thread that hangs in a lookup is not waited for: it would delay the end of the program.
    func close() {
        lookups.close()
    }

    private func record(_ resolution: Resolution, of name: NameQuery) {
        let now = time()
        let change = cache.record(resolution, of: name, at: now)
        if let change { report(.moved(name, change)) }
        for ticket in tickets.removeValue(forKey: name) ?? [] {
            if let item = waiting.remove(ticket) { resolveAddress(of: name, for: item.probe) }
        }
    }
}
