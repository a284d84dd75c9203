import Monitoring
import NIOCore

extension ProbeLoop {
    /// Makes the watch for hosts of the local network.
    func makeNeighbours() -> NeighbourWatch {
        NeighbourWatch(
            loop: gate.loop,
            time: { [weak self, now] in self?.time() ?? now() },
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
        watch.isSilent = false
        silent.remove(probe.target)
        guard let address = probe.address else { return }
        probeSilent(at: [address])
        lane.relay(.answered(address))
    }

    /// Probes a target again at once if its failure may come from before the return of a link or route. A session
    /// connects again by itself.
    private func repeatIfStale(_ watch: WatchedTarget, _ outcome: Outcome) {
        guard case .failure(let failure) = outcome, watch.method != .session else { return }
        let now = time()
        guard silent.isDue(watch.id, after: failure, at: now) else { return }
        probe([watch.id], at: now)
    }

    /// Forgets that a target was silent.
    func forgetSilence(of watch: WatchedTarget, _ id: Target.ID) {
        guard watch.isSilent else { return }
        watch.isSilent = false
        silent.remove(id)
    }

    /// Probes the silent targets of these hosts at once.
    func probeSilent(at addresses: [IPAddress]) {
        let now = time()
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
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.execute { bound.value.setAlarm() }
    }
}
