import Monitoring
import NIOCore

extension ProbeLoop {
    /// Asks a target that is due.
    func ask(_ id: Target.ID) {
        guard let watch = watches[id] else { return }
        guard watch.inFlight == 0 || watch.mayOverlap && !isNameAwaited(watch) else {
            // Its slot is not lost: a timeout as long as the interval would cost every other probe.
            watch.isOwedProbe = true
            return
        }
        guard !watch.method.opensDescriptors || budget.admit(id) else { return }
        var probe = watch.nextProbe(at: time())
        if let peer = watch.prober.peer(of: id) {
            probe.address = peer
            if watch.onlyAddress != nil, let name = watch.place.name { note(names.addresses(of: name), of: watch) }
        }
        switch watch.place {
        case .name(let name) where probe.address == nil: names.bring(probe, of: name)
        case .unusable(let failure): end(probe, .failure(failure))
        case .none, .address, .name: send(probe, of: watch)
        }
    }

    /// Takes in what a prober tells.
    func hear(_ notice: Notice) {
        switch notice {
        case .ended(let probe, let outcome):
            end(probe, outcome)
        case .late(let probe) where watch(probe.watch, of: probe.target) != nil:
            report(.late(probe.target))
        case .duplicate(let probe) where watch(probe.watch, of: probe.target) != nil:
            report(.duplicate(probe.target))
        case .late, .duplicate:
            break
        case .session(let id, let state, let address):
            report(.session(id, state, address: address.map { "\($0)" }, at: now()))
        case .hasten(let id):
            schedule.hasten([id], at: now())
            let bound = NIOLoopBound(self, eventLoop: gate.loop)
            gate.loop.execute { bound.value.setAlarm() }
        }
    }

    /// Takes in what becomes of a name.
    func hear(_ word: NameDesk.Word) {
        switch word {
        case .resolved(var probe):
            guard let watch = watch(of: probe) else { return }
            watch.selection = nil
            probe.sent = time()
            if watch.target.addresses != .any { note(probe.address.map { [$0] } ?? [], of: watch) }
            probe.address = watch.onlyAddress ?? probe.address
            send(probe, of: watch)
        case .found(var probe, let addresses):
            guard let watch = watch(of: probe) else { return }
            if watch.target.addresses != .any { note(addresses, of: watch) }
            if let address = watch.onlyAddress {
                (probe.address, probe.sent) = (address, time())
                return send(probe, of: watch)
            }
            let selection = watch.selection(of: addresses)
            probe.address = selection.current
            probe.sent = time()
            send(probe, of: watch, trying: watch.method.connects ? selection.order : [])
        case .ended(let probe, let outcome):
            end(probe, outcome)
        case .moved(let name, let change):
            for id in watches.ids {
                guard let watch = watches[id], watch.place.name == name, watch.target.addresses == .any else {
                    continue
                }
                let from = watch.selection?.current ?? change.from[0]
                guard !change.to.contains(from) else { continue }
                logger.moved(name.host, from: "\(from)", to: "\(change.to[0])")
                report(.addressChanged(id, from: "\(from)", to: "\(change.to[0])", at: now()))
            }
        }
    }

    /// Reports what the name of a target stands for, where each address has a row and there are others than before.
    private func note(_ addresses: [IPAddress], of watch: Watch) {
        guard !addresses.isEmpty, watch.note(addresses) else { return }
        report(.addresses(watch.id, addresses.map { "\($0)" }, at: now()))
    }

    private func send(_ probe: Probe, of watch: Watch, trying addresses: [IPAddress] = []) {
        // Who holds a connection to its peer needs no other.
        if watch.method.opensDescriptors, watch.prober.peer(of: probe.target) == nil,
            let fault = lackOfDescriptors()
        {
            return end(probe, .fault(fault))
        }
        if addresses.isEmpty { watch.prober.ask(probe) } else { watch.prober.ask(probe, trying: addresses) }
    }

    private func end(_ probe: Probe, _ outcome: Outcome) {
        guard let watch = watch(of: probe) else { return }
        let isResent = !watch.resent.isEmpty && watch.resent.remove(probe.sequence) != nil
        if outcome.isLoss, !isResent, let addresses = newAddresses(for: probe, of: watch) {
            return resend(probe, of: watch, to: addresses)
        }
        guard let selection = watch.selection, let address = probe.address else {
            return end(probe, outcome, of: watch)
        }
        var (probe, outcome) = (probe, outcome)
        switch outcome {
        case .reply:
            selection.replied(probe.sequence, from: address)
        case .timeout, .failure, .fault:
            guard !watch.method.connects else {
                if outcome.isLoss { selection.failed(at: address) }
                break
            }
            let fall = watch.target.thresholds.fall
            switch selection.failed(probe.sequence, sent: probe.sent, at: address, with: outcome, fall: fall) {
            case .send(to: let next):
                (probe.address, probe.made) = (next, now())
                probe.sent = probe.made
                return send(probe, of: watch)
            case .end(let last, let place, let start):
                (outcome, probe.address, probe.sent) = (last, place, start ?? probe.sent)
            }
        }
        end(probe, outcome, of: watch)
    }

    /// The addresses of a target's name, where the probe went to one that is no longer among them.
    private func newAddresses(for probe: Probe, of watch: Watch) -> [IPAddress]? {
        // Which connection a session has lost does not depend on the name.
        guard watch.target.addresses == .any, watch.method != .session, let address = probe.address,
            let name = watch.place.name
        else { return nil }
        let addresses = names.known(of: name)
        return addresses.isEmpty || addresses.contains(address) ? nil : addresses
    }

    /// Sends a probe to the new addresses of its name. That is done once: a name that has other addresses at each lookup would
    /// never lose one.
    private func resend(_ probe: Probe, of watch: Watch, to addresses: [IPAddress]) {
        var probe = probe
        watch.resent.insert(probe.sequence)
        probe.made = now()
        probe.sent = probe.made
        guard addresses.count > 1 else {
            watch.selection = nil
            probe.address = addresses[0]
            return send(probe, of: watch)
        }
        let selection = watch.selection(of: addresses)
        probe.address = selection.current
        send(probe, of: watch, trying: watch.method.connects ? selection.order : [])
    }

    private func end(_ probe: Probe, _ outcome: Outcome, of watch: Watch) {
        watch.inFlight = max(0, watch.inFlight - 1)
        if watch.method.opensDescriptors {
            budget.end(isShort: outcome.isShortOfDescriptors, at: now())
        }
        if watch.isOwedProbe {
            watch.isOwedProbe = false
            backlog.append(probe.target)
        }
        if outcome.isLoss, probe.address != nil, let name = watch.place.name {
            names.doubt(name, isDown: watch.isUrgent)
        }
        noteSilence(of: watch, probe, outcome)
        if outcome.isForWantOfARoute, watch.target.dependsOn.contains(.link) { links.suspect(at: now()) }
        let observation = Observation(
            target: probe.target,
            sequence: probe.sequence,
            sent: probe.sent,
            time: now(),
            outcome: outcome,
            address: probe.address.map(watch.text)
        )
        logger.ended(observation, of: watch)
        report(.observation(observation), isRoutine: watch.isRoutine(outcome))
    }

    /// The fault that another connection attempt of a probe would take a descriptor of the reserve; nil if it would not.
    func lackOfDescriptors() -> Fault? {
        reserve.lack(isLimited: budget.isLimited)
    }

    /// Where the probe belongs; nil if that is no longer watched.
    private func watch(of probe: Probe) -> Watch? {
        watch(probe.watch, of: probe.target)
    }

    private func watch(_ number: Int, of id: Target.ID) -> Watch? {
        guard let watch = watches[id], watch.number == number else { return nil }
        return watch
    }

    /// Overlapping probes would only queue up before a resolver that does not answer.
    private func isNameAwaited(_ watch: Watch) -> Bool {
        watch.place.name.map(names.isAwaited) ?? false
    }
}

extension Method {
    /// Whether a probe connects, and so races the addresses of its name.
    fileprivate var connects: Bool {
        switch self {
        case .tcp, .session, .tls, .http, .https: true
        case .icmp, .udp, .dns, .link, .route, .exec: false
        }
    }
}

extension Outcome {
    fileprivate var isForWantOfARoute: Bool {
        guard case .failure(let failure) = self else { return false }
        return [.networkUnreachable, .hostUnreachable, .noRoute, .linkDown].contains(failure.reason)
    }

    fileprivate var isShortOfDescriptors: Bool {
        if case .fault(let fault) = self { fault.problem == .tooManyFiles } else { false }
    }
}
