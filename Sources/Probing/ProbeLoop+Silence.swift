import Monitoring
import NIOCore

extension ProbeLoop {
    /// The watch for hosts of the local network.
    func makeNeighbours() -> NeighbourWatch {
        NeighbourWatch(
            loop: gate.loop,
            time: { [weak self, now] in self?.time() ?? now() },
            heard: { [weak self] in self?.receive(heard: $0) }
        )
    }

    /// Notes whether a target is silent, by the outcome of a probe.
    func noteSilence(of watch: Watch, _ probe: Probe, _ outcome: Outcome) {
        if outcome.isLoss {
            // The loss of an earlier probe says nothing about a target that has answered since.
            guard probe.sequence > watch.answered, let address = probe.address else { return }
            watch.isSilent = true
            silent.add(probe.target, at: address)
            neighbours.listen()
            return
        }
        guard case .reply = outcome else { return }
        watch.answered = max(watch.answered, probe.sequence)
        guard watch.isSilent else { return }
        watch.isSilent = false
        silent.remove(probe.target)
        guard let address = probe.address else { return }
        probeSilent(at: [address])
        share.relay(.answered(address))
    }

    /// Forgets that a target was silent.
    func forgetSilence(of watch: Watch, _ id: Target.ID) {
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

    private func receive(heard addresses: [IPAddress]) {
        // While every target answers, nothing has to be noticed.
        guard !silent.isEmpty else { return neighbours.close() }
        probeSilent(at: addresses)
    }

    private func probe(_ ids: [Target.ID], at now: Duration) {
        guard !ids.isEmpty else { return }
        for id in ids { watches[id]?.prober.retry(id, at: now) }
        schedule.hasten(ids, at: now)
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.execute { bound.value.setAlarm() }
    }
}
