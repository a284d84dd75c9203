import Monitoring

/// Which address each name stands for in each family, and when to look it up again. Says what to do; somebody else looks up.
struct AddressBook: Sendable {
    /// How long an address is believed.
    static let lifetime = Duration.seconds(60)
    /// How long nobody looks up again after a failure: a dead host must not flood the resolver.
    static let patience = Duration.seconds(5)
    /// How long an unresolved name's failure answers for it.
    static let retry = Duration.seconds(1)

    /// What is known of a name.
    enum Answer: Sendable, Hashable {
        /// It stands for this address, as far as we know.
        case address(IPAddress)
        /// The last lookup failed a moment ago.
        case failure(Failure)
        /// The last lookup was none, a moment ago: the fault is ours.
        case fault(Fault)
        /// A lookup is under way, and nothing is known before it ends.
        case awaited
    }

    /// A name that stands for another address than before.
    struct Change: Sendable, Hashable {
        let from: IPAddress
        let to: IPAddress
    }

    private struct Entry: Sendable {
        var answer = Answer.awaited
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
            case .address, .awaited: break
            }
        }
        entries[name] = entry
        return (entry.answer, starts)
    }

    /// Takes the end of a lookup into account; a resolver that does not answer leaves the old address in use.
    mutating func record(_ resolution: Resolution, of name: NameQuery, at time: Duration) -> Change? {
        guard var entry = entries[name] else { return nil }
        defer { entries[name] = entry }
        entry.isLookedUp = false
        entry.time = time
        switch (resolution, entry.answer) {
        case (.addresses(let found), .address(let old)):
            entry.staleAt = time + Self.lifetime
            // Names that rotate their addresses keep the one in use, or every lookup would be a change.
            guard let new = found.first, !found.contains(old) else { return nil }
            entry.answer = .address(new)
            return Change(from: old, to: new)
        case (.addresses(let found), _):
            entry.staleAt = time + Self.lifetime
            if let new = found.first { entry.answer = .address(new) }
        case (.failure(let failure), .address) where failure.reason == .resolverFailed:
            entry.staleAt = time + Self.patience
        case (.failure(let failure), _):
            entry.staleAt = time + Self.retry
            entry.answer = .failure(failure)
        case (.fault, .address):
            entry.staleAt = time + Self.retry
        case (.fault(let fault), _):
            entry.staleAt = time + Self.retry
            entry.answer = .fault(fault)
        }
        return nil
    }

    /// A probe of this name failed: perhaps it has moved.
    mutating func doubt(_ name: NameQuery) {
        guard let entry = entries[name] else { return }
        entries[name]?.staleAt = min(entry.staleAt, entry.time + Self.patience)
    }

    /// The network is another: everything may be, and what failed may succeed.
    mutating func doubtAll(at time: Duration) {
        for host in entries.keys { entries[host]?.staleAt = time }
    }

    /// Nobody asks for this name any more.
    mutating func forget(_ name: NameQuery) {
        entries[name] = nil
    }
}
