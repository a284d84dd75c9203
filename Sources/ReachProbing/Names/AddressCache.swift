import ReachMonitoring

/// A cache of the addresses of each name in each address family. It decides when to look a name up; its owner does the
/// lookups.
struct AddressCache: Sendable {
    /// How long an address is used without another lookup.
    static let lifetime = Duration.seconds(60)
    /// The minimum time between lookups after a failed probe: a dead host must not flood the resolver.
    static let refreshPause = Duration.seconds(5)
    /// The same for a target that is not down yet: a new address must be found before the verdict.
    static let shortRefreshPause = Duration.seconds(1)
    /// How long a failed lookup is cached.
    static let negativeLifetime = Duration.seconds(1)

    /// The cached result for a name.
    enum Answer: Sendable, Hashable {
        /// The name has this address.
        case address(IPAddress)
        /// The name has these addresses, two or more, in the order of preference.
        case addresses([IPAddress])
        /// The last lookup failed recently.
        case failure(Failure)
        /// The last lookup could not be made, because of a fault of this machine.
        case fault(Fault)
        /// A lookup is in flight, and nothing is cached.
        case pending
    }

    /// A change of a name's addresses; neither list is empty.
    struct Change: Sendable, Hashable {
        let from: [IPAddress]
        let to: [IPAddress]
    }

    private struct Entry: Sendable {
        var answer = Answer.pending
        /// The last addresses of a name that no longer exists. When the name returns, it may have others.
        var lastAddresses: [IPAddress] = []
        var isLookupInFlight = false
        /// When the last lookup ended.
        var time = Duration.zero
        /// When the entry becomes stale: the next query then starts a lookup.
        var staleAt = Duration.zero
    }

    private var entries: [NameQuery: Entry] = [:]

    /// Returns the cached result, and whether the caller must start a lookup. A name has one lookup at a time.
    mutating func lookUp(_ name: NameQuery, at time: Duration) -> (answer: Answer, startsLookup: Bool) {
        var entry = entries[name, default: Entry()]
        let starts = !entry.isLookupInFlight && entry.staleAt <= time
        if starts {
            entry.isLookupInFlight = true
            // An old address stays in use while it is refreshed; an old failure does not.
            switch entry.answer {
            case .failure, .fault: entry.answer = .pending
            case .address, .addresses, .pending: break
            }
        }
        entries[name] = entry
        return (entry.answer, starts)
    }

    /// The cached addresses of a name, of any age; empty if there are none.
    func cachedAddresses(of name: NameQuery) -> [IPAddress] {
        entries[name]?.answer.addresses ?? []
    }

    /// Records the result of a lookup. Returns the change of addresses. If the resolver fails, the old address stays in
    /// use.
    mutating func record(_ resolution: Resolution, of name: NameQuery, at time: Duration) -> Change? {
        guard var entry = entries[name] else { return nil }
        defer { entries[name] = entry }
        entry.isLookupInFlight = false
        entry.time = time
        let old = entry.answer.addresses
        switch resolution {
        case .addresses(let found):
            entry.staleAt = time + Self.lifetime
            let known = old.isEmpty ? entry.lastAddresses : old
            let new = Self.inOrder(found, knowing: known)
            guard !new.isEmpty, new != old else { return nil }
            entry.answer = new.count == 1 ? .address(new[0]) : .addresses(new)
            entry.lastAddresses = []
            return known.isEmpty || new == known ? nil : Change(from: known, to: new)
        case .failure(let failure) where failure.reason == .resolverFailed && !old.isEmpty:
            entry.staleAt = time + Self.refreshPause
        case .failure(let failure):
            entry.staleAt = time + Self.negativeLifetime
            entry.answer = .failure(failure)
            if !old.isEmpty { entry.lastAddresses = old }
        case .fault(let fault):
            entry.staleAt = time + Self.negativeLifetime
            if old.isEmpty { entry.answer = .fault(fault) }
        }
        return nil
    }

    /// Shortens the lifetime of an entry after a failed probe: the name may have another address.
    ///
    /// - Parameter isDown: whether the target was down before.
    mutating func shortenLifetime(of name: NameQuery, isDown: Bool = false) {
        guard let entry = entries[name] else { return }
        let pause = isDown ? Self.refreshPause : Self.shortRefreshPause
        entries[name]?.staleAt = min(entry.staleAt, entry.time + pause)
    }

    /// Makes all entries stale after a change of the network: addresses may differ, and failed lookups may succeed.
    mutating func invalidateAll(at time: Duration) {
        for host in entries.keys { entries[host]?.staleAt = time }
    }

    /// Makes the entries with link-local addresses stale after a change of links: an interface may have another index.
    mutating func invalidateLinkLocal(at time: Duration) {
        for (name, entry) in entries where entry.answer.hasZone { entries[name]?.staleAt = time }
    }

    /// Removes a name that no target needs.
    mutating func forget(_ name: NameQuery) {
        entries[name] = nil
    }

    /// The addresses in the order of attempts. Resolvers rotate addresses; if the set is unchanged, so is the order.
    private static func inOrder(_ found: [IPAddress], knowing old: [IPAddress]) -> [IPAddress] {
        guard found.count > 1 else { return found }
        let new = found.interleaved
        return new.count == old.count && Set(new) == Set(old) ? old : new
    }
}

extension AddressCache.Answer {
    /// Whether an address depends on the index of an interface.
    fileprivate var hasZone: Bool {
        switch self {
        case .address(let address): address.scope != 0
        case .addresses(let addresses): addresses.contains { $0.scope != 0 }
        case .failure, .fault, .pending: false
        }
    }

    /// The cached addresses; empty if there are none.
    var addresses: [IPAddress] {
        switch self {
        case .address(let address): [address]
        case .addresses(let addresses): addresses
        case .failure, .fault, .pending: []
        }
    }
}

extension [IPAddress] {
    /// The maximum number of addresses tried of a name.
    static let maxTried = 128

    /// The addresses without duplicates, alternating between the families, beginning with the preferred one (RFC 8305
    /// §4).
    var interleaved: [IPAddress] {
        var seen: Set<IPAddress> = []
        let unique = filter { seen.insert($0).inserted }
        guard let first = unique.first?.family else { return [] }
        var (ones, others) = (unique.filter { $0.family == first }[...], unique.filter { $0.family != first }[...])
        var result: [IPAddress] = []
        while result.count < Self.maxTried, !(ones.isEmpty && others.isEmpty) {
            if let one = ones.popFirst() { result.append(one) }
            if let another = others.popFirst() { result.append(another) }
        }
        return result
    }
}
