import ReachMonitoring

/// The targets whose newest probe was lost, by the address that it was sent to. When a packet from such a host arrives,
/// they are probed at once.
struct SilentTargets: Sendable {
    /// The shortest time between two such probes of a target, however many packets arrive from its host.
    static let pause = Duration.seconds(1)
    /// The maximum number of targets probed at once when links or routes change.
    static let maxProbes = 1_000

    private struct Entry: Sendable {
        var address: IPAddress
        /// When the target was last probed outside its schedule; nil if it never was.
        var last: Duration?
    }

    private var entries: [Target.ID: Entry] = [:]
    private var ids: [IPAddress: Set<Target.ID>] = [:]
    /// When a link or route last returned, and the targets probed again since then because of a stale failure.
    private var routeReturn: (time: Duration, repeated: Set<Target.ID>)?

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a target whose probe to this address was lost.
    mutating func add(_ id: Target.ID, at address: IPAddress) {
        guard entries[id]?.address != address else { return }
        let last = removeEntry(of: id)?.last
        entries[id] = Entry(address: address, last: last)
        ids[address, default: []].insert(id)
    }

    /// Removes a target that has replied, or is no longer probed.
    mutating func remove(_ id: Target.ID) {
        _ = removeEntry(of: id)
    }

    /// Returns the targets to probe when a packet from this host has arrived.
    mutating func due(at address: IPAddress, _ now: Duration) -> [Target.ID] {
        guard let ids = ids[address] else { return [] }
        return selectDue(ids.sorted(), at: now)
    }

    /// Returns the targets to probe when any host may be back.
    mutating func due(_ now: Duration) -> [Target.ID] {
        selectDue(entries.keys.prefix(Self.maxProbes), at: now)
    }

    /// Records the return of a link or route.
    mutating func routeReturned(at now: Duration) {
        routeReturn = (now, [])
    }

    /// Whether to probe a target again at once after this failure: it may come from a neighbour resolution that started
    /// before the return of a link or route. Returns true once for each target and return.
    mutating func isDue(_ id: Target.ID, after failure: Failure, at now: Duration) -> Bool {
        guard let time = routeReturn?.time, failure.isStale(at: now, since: time) else { return false }
        return routeReturn?.repeated.insert(id).inserted == true
    }

    private mutating func selectDue(_ candidates: some Sequence<Target.ID>, at now: Duration) -> [Target.ID] {
        let due = candidates.filter { entries[$0]?.last.map { now - $0 >= Self.pause } ?? true }
        for id in due { entries[id]?.last = now }
        return due
    }

    private mutating func removeEntry(of id: Target.ID) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        ids[entry.address]?.remove(id)
        if ids[entry.address]?.isEmpty == true { ids[entry.address] = nil }
        return entry
    }
}

extension ProbeLoop {
    /// Makes the watch for hosts of the local network.
    func makeNeighbours() -> NeighbourWatch {
        NeighbourWatch(
            loop: gate.loop,
            time: now,
            report: { [weak self] in self?.receive(from: $0) }
        )
    }

    /// Updates whether a target is silent, by the outcome of a probe.
    func noteSilence(of watch: WatchedTarget, _ probe: Probe, _ outcome: Outcome) {
        if outcome.isLoss {
            // The loss of an earlier probe does not count for a target that has replied since.
            guard probe.sequence > watch.answered, let address = probe.address else { return }
            watch.isSilent = true
            silent.add(probe.target, at: address)
            neighbours.listen()
            repeatIfStale(watch, outcome)
            return
        }
        guard case .reply = outcome else { return }
        watch.answered = max(watch.answered, probe.sequence)
        guard watch.isSilent else { return }
        forgetSilence(of: watch)
        guard let address = probe.address else { return }
        probeSilent(at: [address])
        lane.relay(.answered(address))
    }

    /// Probes a target again at once if its failure may come from before the return of a link or route. A session
    /// connects again by itself.
    private func repeatIfStale(_ watch: WatchedTarget, _ outcome: Outcome) {
        guard case .failure(let failure) = outcome, watch.method != .session else { return }
        let now = now()
        guard silent.isDue(watch.id, after: failure, at: now) else { return }
        probe([watch.id], at: now)
    }

    /// Forgets that a target was silent.
    func forgetSilence(of watch: WatchedTarget) {
        guard watch.isSilent else { return }
        watch.isSilent = false
        silent.remove(watch.id)
    }

    /// Probes the silent targets of these hosts at once.
    func probeSilent(at addresses: [IPAddress]) {
        let now = now()
        probe(addresses.flatMap { silent.due(at: $0, now) }, at: now)
    }

    /// Probes silent targets at once, since links or routes have changed.
    func probeSilent(at now: Duration) {
        probe(silent.due(now), at: now)
    }

    private func receive(from addresses: [IPAddress]) {
        // While every target replies, there is no need to listen.
        guard !silent.isEmpty else { return neighbours.close() }
        probeSilent(at: addresses)
    }

    private func probe(_ ids: [Target.ID], at now: Duration) {
        guard !ids.isEmpty else { return }
        for id in ids { watches[id]?.prober.retry(id, at: now) }
        schedule.probeNow(ids, at: now)
        setAlarmSoon()
    }
}
