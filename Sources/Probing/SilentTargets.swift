import Monitoring

/// The targets whose newest probe was lost, by the address that it was sent to. When such a host is heard, they are probed
/// at once.
struct SilentTargets: Sendable {
    /// The shortest time between two of these probes of one target, however often its host is heard.
    static let pause = Duration.seconds(1)
    /// How many targets are probed at once when links or routes change.
    static let most = 1_000

    private struct Entry: Sendable {
        var address: IPAddress
        /// When it was probed out of turn; nil if it never was.
        var last: Duration?
    }

    private var entries: [Target.ID: Entry] = [:]
    private var ids: [IPAddress: Set<Target.ID>] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// A probe to this address was lost.
    mutating func add(_ id: Target.ID, at address: IPAddress) {
        guard entries[id]?.address != address else { return }
        let last = remove(id)?.last
        entries[id] = Entry(address: address, last: last)
        ids[address, default: []].insert(id)
    }

    /// The target has answered, or is no longer probed.
    mutating func remove(_ id: Target.ID) {
        let _: Entry? = remove(id)
    }

    /// The targets to probe now that the host of this address was heard.
    mutating func due(at address: IPAddress, _ now: Duration) -> [Target.ID] {
        guard let ids = ids[address] else { return [] }
        return take(ids.sorted(), at: now)
    }

    /// The targets to probe now that any host may be back.
    mutating func due(_ now: Duration) -> [Target.ID] {
        take(entries.keys.prefix(Self.most), at: now)
    }

    private mutating func take(_ candidates: some Sequence<Target.ID>, at now: Duration) -> [Target.ID] {
        let due = candidates.filter { entries[$0]?.last.map { now - $0 >= Self.pause } ?? true }
        for id in due { entries[id]?.last = now }
        return due
    }

    private mutating func remove(_ id: Target.ID) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        ids[entry.address]?.remove(id)
        if ids[entry.address]?.isEmpty == true { ids[entry.address] = nil }
        return entry
    }
}
