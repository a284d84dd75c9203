import NIOCore
import ReachMonitoring

extension ProbeLoop {
    /// Probes a target that is due.
    func sendProbe(to watch: WatchedTarget) {
        let id = watch.id
        guard watch.inFlight == 0 || watch.mayOverlap && !isNameAwaited(watch) else {
            // The slot is deferred, not skipped: a timeout as long as the interval would cost every other probe.
            watch.hasDeferredProbe = true
            return
        }
        guard !watch.method.opensDescriptors || budget.admit(id) else { return }
        var probe = watch.nextProbe(at: now())
        if let peer = watch.prober.peer(of: id) {
            probe.address = peer
            if watch.onlyAddress != nil, let name = watch.host.name {
                reportAddresses(names.addresses(of: name), of: watch)
            }
        }
        switch watch.host {
        case .name(let name) where probe.address == nil: names.resolveAddress(of: name, for: probe)
        case .unusable(let failure):
            recordDeparture(of: watch, at: probe.made)
            end(probe, .failure(failure), at: probe.made)
        case .none, .address, .name: send(probe, of: watch)
        }
    }

    /// Handles an event of a prober.
    func receive(_ event: ProberEvent) {
        let now = now()
        noticeStall(at: now)
        switch event {
        case .ended(let probe, let outcome):
            end(probe, outcome, at: now)
        case .started(let probe):
            if let watch = watch(of: probe) { recordDeparture(of: watch, at: now) }
        case .late(let id, let roundTrip, let sent):
            if watch(id) != nil { report(.late(id.target, roundTrip: roundTrip, sent: sent)) }
        case .duplicate(let id):
            if watch(id) != nil { report(.duplicate(id.target)) }
        case .session(let id, let state, let address):
            report(.session(id, state, address: address.map { "\($0)" }, at: now))
        case .probeNow(let id):
            schedule.probeNow([id], at: now)
            setAlarmSoon()
        }
    }

    /// Handles an event of the name resolver.
    func receive(_ event: NameResolver.Event) {
        switch event {
        case .resolved(var probe):
            guard let watch = watch(of: probe) else { return }
            watch.selection = nil
            probe.sent = now()
            if watch.target.addresses != .any { reportAddresses(probe.address.map { [$0] } ?? [], of: watch) }
            probe.address = watch.onlyAddress ?? probe.address
            send(probe, of: watch)
        case .found(var probe, let addresses):
            guard let watch = watch(of: probe) else { return }
            if watch.target.addresses != .any { reportAddresses(addresses, of: watch) }
            probe.sent = now()
            guard let address = watch.onlyAddress else { return send(probe, of: watch, selectingFrom: addresses) }
            probe.address = address
            send(probe, of: watch)
        case .ended(let probe, let outcome):
            // It has an outcome of its own.
            watch(of: probe)?.lateFrom = nil
            end(probe, outcome, at: now())
        case .moved(let name, let change):
            for id in watches.ids {
                guard let watch = watches[id], watch.host.name == name, watch.target.addresses == .any else {
                    continue
                }
                let from = watch.selection?.current ?? change.from[0]
                guard !change.to.contains(from) else { continue }
                logger.moved(name.host, from: "\(from)", to: "\(change.to[0])")
                report(.addressChanged(id, from: "\(from)", to: "\(change.to[0])", at: now()))
            }
        }
    }

    /// Reports the addresses of a target's name when they have changed, for targets with a row for each address.
    private func reportAddresses(_ addresses: [IPAddress], of watch: WatchedTarget) {
        guard !addresses.isEmpty, watch.recordAddresses(addresses) else { return }
        report(.addresses(watch.id, addresses.map { "\($0)" }, at: now()))
    }

    private func send(_ probe: Probe, of watch: WatchedTarget, trying addresses: [IPAddress] = []) {
        // A command may be queued; its prober reports the start.
        if watch.lateFrom != nil, watch.method != .exec { recordDeparture(of: watch, at: probe.sent) }
        // A session that is connected needs no further descriptor.
        if watch.method.opensDescriptors, watch.prober.peer(of: probe.target) == nil,
            let fault = descriptorShortage()
        {
            return end(probe, .fault(fault), at: now())
        }
        if addresses.isEmpty { watch.prober.send(probe) } else { watch.prober.send(probe, trying: addresses) }
    }

    private func end(_ probe: Probe, _ outcome: Outcome, at now: Duration) {
        guard let watch = watch(of: probe) else { return }
        let isResent = !watch.resent.isEmpty && watch.resent.remove(probe.sequence) != nil
        if outcome.isLoss, !isResent, let addresses = newAddresses(for: probe, of: watch) {
            return resend(probe, of: watch, to: addresses, at: now)
        }
        guard let selection = watch.selection, let address = probe.address else {
            return end(probe, outcome, of: watch, at: now)
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
                (probe.address, probe.made) = (next, now)
                probe.sent = probe.made
                return send(probe, of: watch)
            case .end(let last, let address, let start):
                (outcome, probe.address, probe.sent) = (last, address, start ?? probe.sent)
            }
        }
        end(probe, outcome, of: watch, at: now)
    }

    /// The addresses of a target's name, if the probed address is no longer one of them; otherwise nil.
    private func newAddresses(for probe: Probe, of watch: WatchedTarget) -> [IPAddress]? {
        // The loss of a session's connection does not depend on the name.
        guard watch.target.addresses == .any, watch.method != .session, let address = probe.address,
            let name = watch.host.name
        else { return nil }
        let addresses = names.cachedAddresses(of: name)
        return addresses.isEmpty || addresses.contains(address) ? nil : addresses
    }

    /// Sends a probe again, to the new addresses of its name. It is sent again once only: a name with other addresses
    /// at each lookup would never lose a probe.
    private func resend(_ probe: Probe, of watch: WatchedTarget, to addresses: [IPAddress], at now: Duration) {
        var probe = probe
        watch.resent.insert(probe.sequence)
        probe.made = now
        probe.sent = now
        guard addresses.count > 1 else {
            watch.selection = nil
            probe.address = addresses[0]
            return send(probe, of: watch)
        }
        send(probe, of: watch, selectingFrom: addresses)
    }

    /// Sends a probe to one of several addresses, or to all if its method races them.
    private func send(_ probe: Probe, of watch: WatchedTarget, selectingFrom addresses: [IPAddress]) {
        var probe = probe
        let selection = watch.selection(of: addresses)
        probe.address = selection.current
        send(probe, of: watch, trying: watch.method.connects ? selection.order : [])
    }

    private func end(_ probe: Probe, _ outcome: Outcome, of watch: WatchedTarget, at now: Duration) {
        watch.inFlight = max(0, watch.inFlight - 1)
        if watch.method == .exec, watch.lateFrom != nil {
            // The command was not started.
            load.recordSkipped()
            watch.lateFrom = nil
        }
        if watch.method.opensDescriptors {
            budget.end(isShort: outcome.lacksDescriptors, at: now)
        }
        if watch.hasDeferredProbe {
            watch.hasDeferredProbe = false
            enqueue(watch)
        }
        if outcome.isLoss, probe.address != nil, let name = watch.host.name {
            names.shortenLifetime(of: name, isDown: watch.isUrgent)
        }
        noteSilence(of: watch, probe, outcome)
        if outcome.mayLackRoute, watch.target.dependsOn.contains(.link) { links.checkNow(at: now) }
        let observation = Observation(
            target: probe.target,
            sequence: probe.sequence,
            sent: probe.sent,
            time: now,
            outcome: outcome,
            address: probe.address.map(watch.text)
        )
        logger.ended(observation, of: watch)
        report(.observation(observation), isRoutine: watch.isRoutine(outcome))
    }

    /// The fault of a connection attempt that would take a descriptor of the reserve; nil if there are enough.
    func descriptorShortage() -> Fault? {
        reserve.shortage(isLimited: budget.isLimited)
    }

    /// The watched target of a probe; nil if it is no longer watched, or if a stall discarded the probe.
    private func watch(of probe: Probe) -> WatchedTarget? {
        guard probe.made >= resumed else { return nil }
        return watch(probe.watch)
    }

    private func watch(_ id: WatchID) -> WatchedTarget? {
        guard let watch = watches[id.target], watch.number == id.number else { return nil }
        return watch
    }

    /// Whether the target's name is being resolved: overlapping probes would only queue up for the resolver.
    private func isNameAwaited(_ watch: WatchedTarget) -> Bool {
        watch.host.name.map(names.isAwaited) ?? false
    }
}

extension Method {
    /// Whether a probe connects, and therefore races the addresses of its name.
    fileprivate var connects: Bool {
        switch self {
        case .tcp, .session, .tls, .http, .https, .redis, .rediss, .postgres, .mysql: true
        case .icmp, .udp, .dns, .link, .route, .exec, .fleet: false
        }
    }
}

extension Outcome {
    fileprivate var mayLackRoute: Bool {
        guard case .failure(let failure) = self else { return false }
        return [.networkUnreachable, .hostUnreachable, .noRoute, .linkDown].contains(failure.reason)
    }

    fileprivate var lacksDescriptors: Bool {
        if case .fault(let fault) = self { fault.problem == .tooManyFiles } else { false }
    }
}

extension ProbeLoop {
    /// The prober of a method, made at its first use.
    func prober(for method: Method) -> any MethodProber {
        if let prober = probers[method] { return prober }
        let prober = makeProber(for: method)
        probers[method] = prober
        return prober
    }

    /// Makes the name resolver.
    func makeNames() -> NameResolver {
        NameResolver(
            gate: gate,
            lanes: lane.assignment.count,
            resolve: resolve,
            time: now,
            report: { [weak self] in self?.receive($0) }
        )
    }

    /// Makes the watch for changes of this machine's network.
    func makeLinks() -> LinkWatch {
        LinkWatch(
            loop: gate.loop,
            isFollower: !lane.isFirst,
            logger: logger,
            time: now,
            wake: { [weak self] in self?.setAlarm() },
            report: { [weak self] in self?.receive($0) }
        )
    }

    /// Makes the parts that the probers share.
    func makeEnvironment() -> ProberEnvironment {
        gate.onEntry { [weak self] in if let self { noticeStall(at: now()) } }
        return ProberEnvironment(
            gate: gate,
            searchPool: searchPool,
            resolve: resolve,
            targetCount: { [weak self] in self?.watches.count ?? 0 },
            shortage: { [weak self] in self?.descriptorShortage() },
            time: now,
            report: { [weak self] in self?.receive($0) }
        )
    }

    /// Makes the prober of a method. A new method is a case here and a file of its own.
    private func makeProber(for method: Method) -> any MethodProber {
        switch method {
        case .icmp: EchoProber(environment, logger: logger)
        case .tcp: ConnectProber(environment)
        case .session: SessionProber(environment)
        case .tls: TLSProber(environment)
        case .http, .https: HTTPProber(environment)
        case .dns: DNSProber(environment, resolvers: SystemResolvers().servers)
        case .udp: DatagramProber(environment)
        case .redis, .rediss, .postgres, .mysql: DatabaseProber(environment)
        case .link, .route: LinkProber(environment)
        // No target of the fleet is assigned to a prober.
        case .fleet: preconditionFailure("a target of the fleet is not probed")
        case .exec: CommandProber(environment, pool: commands) { [weak self] in self?.watches[$0]?.target.label }
        }
    }
}
