import Monitoring

/// Which addresses each name has in each family, and when to look it up again. Says what to do; its owner does the lookups.
struct AddressBook: Sendable {
    /// How long an address is believed.
    static let lifetime = Duration.seconds(60)
    /// How long nobody looks up again after a failure: a dead host must not flood the resolver.
    static let patience = Duration.seconds(5)
    /// The same for a target that is not down yet: a name that has moved is to be found before the verdict.
    static let shortPatience = Duration.seconds(1)
    /// How long an unresolved name's failure answers for it.
    static let retry = Duration.seconds(1)

    /// What is known of a name.
    enum Answer: Sendable, Hashable {
        /// It has this address, as far as we know.
        case address(IPAddress)
        /// It has these addresses, two or more, in the order of preference.
        case addresses([IPAddress])
        /// The last lookup failed a moment ago.
        case failure(Failure)
        /// The last lookup was none, a moment ago: the fault is ours.
        case fault(Fault)
        /// A lookup is under way, and nothing is known before it ends.
        case awaited
    }

    /// Other addresses of a name than before; neither list is empty.
    struct Change: Sendable, Hashable {
        let from: [IPAddress]
        let to: [IPAddress]
    }

    private struct Entry: Sendable {
        var answer = Answer.awaited
        /// The addresses of a name that has ceased to exist; when it returns, it may have others.
        var lost: [IPAddress] = []
        var isLookedUp = false
        /// When the last lookup ended.
        var time = Duration.zero
        /// From when on the next question looks the name up again.
        var staleAt = Duration.zero
    }

    private var entries: [NameQuery: Entry] = [:]

    /// What a name stands for, and whether to look it up now; a name is looked up once at a time, whoever asks.
    mutating func ask(_ name: NameQuery, at time: Duration) -> (answer: Answer, startsLookup: Bool) {
        var entry = entries[name, default: Entry()]
        let starts = !entry.isLookedUp && entry.staleAt <= time
        if starts {
            entry.isLookedUp = true
            // An old address stays in use while it is refreshed, an old failure does not.
            switch entry.answer {
            case .failure, .fault: entry.answer = .awaited
            case .address, .addresses, .awaited: break
            }
        }
        entries[name] = entry
        return (entry.answer, starts)
    }

    /// The addresses of a name, however old; none where they are not known.
    func known(of name: NameQuery) -> [IPAddress] {
        entries[name]?.answer.addresses ?? []
    }

    /// Takes the end of a lookup into account; a resolver that does not answer leaves the old address in use.
    mutating func record(_ resolution: Resolution, of name: NameQuery, at time: Duration) -> Change? {
        guard var entry = entries[name] else { return nil }
        defer { entries[name] = entry }
        entry.isLookedUp = false
        entry.time = time
        let old = entry.answer.addresses
        switch resolution {
        case .addresses(let found):
            entry.staleAt = time + Self.lifetime
            let known = old.isEmpty ? entry.lost : old
            let new = Self.inOrder(found, knowing: known)
            guard !new.isEmpty, new != old else { return nil }
            entry.answer = new.count == 1 ? .address(new[0]) : .addresses(new)
            entry.lost = []
            return known.isEmpty || new == known ? nil : Change(from: known, to: new)
        case .failure(let failure) where failure.reason == .resolverFailed && !old.isEmpty:
            entry.staleAt = time + Self.patience
        case .failure(let failure):
            entry.staleAt = time + Self.retry
            entry.answer = .failure(failure)
            if !old.isEmpty { entry.lost = old }
        case .fault(let fault):
            entry.staleAt = time + Self.retry
            if old.isEmpty { entry.answer = .fault(fault) }
        }
        return nil
    }

    /// A probe of this name failed: perhaps it has moved.
    ///
    /// - Parameter isDown: whether the target was down before.
    mutating func doubt(_ name: NameQuery, isDown: Bool = false) {
        guard let entry = entries[name] else { return }
        let patience = isDown ? Self.patience : Self.shortPatience
        entries[name]?.staleAt = min(entry.staleAt, entry.time + patience)
    }

    /// The network is another: everything may be, and what failed may succeed.
    mutating func doubtAll(at time: Duration) {
        for host in entries.keys { entries[host]?.staleAt = time }
    }

    /// Links have changed: the interface of a link-local address may have another index.
    mutating func doubtZones(at time: Duration) {
        for (name, entry) in entries where entry.answer.hasZone { entries[name]?.staleAt = time }
    }

    /// Nobody asks for this name any more.
    mutating func forget(_ name: NameQuery) {
        entries[name] = nil
    }

    /// The addresses in the order in which they are tried. Resolvers rotate them: the same ones keep their order.
    private static func inOrder(_ found: [IPAddress], knowing old: [IPAddress]) -> [IPAddress] {
        guard found.count > 1 else { return found }
        let new = found.interleaved
        return new.count == old.count && Set(new) == Set(old) ? old : new
    }
}

extension AddressBook.Answer {
    /// Whether an address depends on the index of an interface.
    fileprivate var hasZone: Bool {
        switch self {
        case .address(let address): address.scope != 0
        case .addresses(let addresses): addresses.contains { $0.scope != 0 }
        case .failure, .fault, .awaited: false
        }
    }

    /// The addresses, where they are known.
    var addresses: [IPAddress] {
        switch self {
        case .address(let address): [address]
        case .addresses(let addresses): addresses
        case .failure, .fault, .awaited: []
        }
    }
}

extension [IPAddress] {
    /// How many addresses of a name are tried.
    static let mostTried = 128

    /// The addresses without duplicates, the families in turn, beginning with the preferred one (RFC 8305 §4).
    var interleaved: [IPAddress] {
        var seen: Set<IPAddress> = []
        let unique = filter { seen.insert($0).inserted }
        guard let first = unique.first?.family else { return [] }
        var (ones, others) = (unique.filter { $0.family == first }[...], unique.filter { $0.family != first }[...])
        var result: [IPAddress] = []
        while result.count < Self.mostTried, !(ones.isEmpty && others.isEmpty) {
            if let one = ones.popFirst() { result.append(one) }
            if let another = others.popFirst() { result.append(another) }
        }
        return result
    }
}
