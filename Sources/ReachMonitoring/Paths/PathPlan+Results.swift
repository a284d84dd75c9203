import DequeModule

extension PathPlan {
    /// Records an answer. Answers to unknown probes, and those more than ten seconds after sending, are ignored.
    public mutating func record(_ answer: PathAnswer, at time: Duration) {
        now = max(now, time)
        guard let probe = pending[answer.probe], slots[probe.slot].id == probe.id, probe.sent + options.latest >= time
        else { return }
        let slot = probe.slot
        guard probe.state != .answered else {
            slots[slot].trace.recordDuplicate(probe.probe)
            return
        }
        pending[answer.probe]?.state = .answered
        dropAnsweredTimeouts()
        let change = slots[slot].trace.record(
            answer,
            to: probe.probe,
            sent: probe.sent,
            at: time,
            wasLost: probe.state == .lost
        )
        if let change, let id = slots[slot].id {
            let isOfRun = slots[slot].watch == nil && slots[slot].run != nil
            if isOfRun { slots[slot].changes.append(change) } else { events.append(.changed(id, change, at: time)) }
        }
        recordSource(of: answer, to: probe)
        if let size = probe.probe.size { recordSize(size, answer, slot) }
        if probe.purpose == .run { continueRun(after: answer, to: probe) }
        startQueued()
        dropObsoleteTimers()
    }

    /// Records that a probe could not be sent.
    public mutating func fail(probe number: UInt32, at time: Duration) {
        now = max(now, time)
        guard let probe = pending[number], probe.state == .inFlight, slots[probe.slot].id == probe.id else { return }
        pending[number]?.state = .answered
        dropAnsweredTimeouts()
        slots[probe.slot].trace.withdraw(probe.probe)
        if probe.purpose == .run {
            if slots[probe.slot].run?.serial == probe.serial { slots[probe.slot].run?.withdraw() }
            continueRun(afterLossOf: probe)
        }
        if probe.purpose == .confirmation { recordResult(confirmation: probe.serial, isLoss: true) }
        startQueued()
        dropObsoleteTimers()
    }

    /// Records what an answer says about the router that sent it.
    private mutating func recordSource(of answer: PathAnswer, to probe: Pending) {
        var isReport = false
        switch answer.kind {
        case .exceeded: recordRouter(answer.source, probe)
        case .unreachable, .tooBig:
            recordReport(from: answer.source, probe)
            isReport = true
        case .reached: break
        }
        if !confirmations.isEmpty { recordAnswer(from: answer.source, to: probe, isReport: isReport) }
    }

    private mutating func recordRouter(_ address: String, _ probe: Pending) {
        let (destination, hop) = (probe.probe.destination, probe.probe.hop)
        if probe.key != .router(address) { budget.charge(.router(address), at: probe.sent) }
        let unknown = PathBudget.Key.unknown(hop: hop, isIPv6: destination.isIPv6)
        divisions[unknown, default: HopDivision()].record(address)
        shared.recordAnswer(
            of: SharedHops.Router(hop: hop, address: address),
            group: SharedHops.Group(destination),
            sent: probe.sent
        )
    }

    /// Records that a router reports an obstacle or the MTU of a link: it answers, and the router at the hop of the probe
    /// does not.
    private mutating func recordReport(from address: String, _ probe: Pending) {
        let group = SharedHops.Group(probe.probe.destination)
        if let hop = slots[probe.slot].trace.number(of: address) {
            shared.recordAnswer(of: SharedHops.Router(hop: hop, address: address), group: group, sent: probe.sent)
        }
        guard case .router(let expected) = probe.key, expected != address, probe.state == .inFlight,
            probe.probe.size == nil
        else { return }
        recordLoss(probe)
    }

    private mutating func recordSize(_ size: Int, _ answer: PathAnswer, _ slot: Int) {
        switch answer.kind {
        case .reached: slots[slot].trace.mtu.recordArrival(size: size)
        case .tooBig(let mtu): slots[slot].trace.mtu.recordTooBig(size: size, mtu: mtu, from: answer.source)
        case .exceeded, .unreachable: break
        }
    }

    /// Removes the timeouts of probes that have a result from the front: nothing is to be done then.
    private mutating func dropAnsweredTimeouts() {
        while let first = timeouts.first, pending[first.number]?.state != .inFlight { _ = timeouts.popFirst() }
    }

    /// Counts the probes whose timeout has passed as lost, and forgets those whose answers no longer count.
    mutating func expire() {
        while let first = timeouts.first, first.time <= now {
            _ = timeouts.popFirst()
            lose(first.number)
        }
        while let first = answerable.first, first.time <= now {
            _ = answerable.popFirst()
            guard let probe = pending.removeValue(forKey: first.number), probe.state != .answered else { continue }
            forgotten.append(first.number)
        }
        if pending.isEmpty { pending = [:] }
    }

    /// Counts a probe as lost, if it has no result yet.
    mutating func lose(_ number: UInt32) {
        guard let probe = pending[number], probe.state == .inFlight, slots[probe.slot].id == probe.id else { return }
        pending[number]?.state = .lost
        slots[probe.slot].trace.recordLoss(probe.probe, sent: probe.sent)
        if let size = probe.probe.size { slots[probe.slot].trace.mtu.recordLoss(size: size) }
        if probe.probe.size == nil { recordLoss(probe) }
        switch probe.purpose {
        case .run: continueRun(afterLossOf: probe)
        case .confirmation: recordResult(confirmation: probe.serial, isLoss: false)
        case .watch: break
        }
    }

    private mutating func recordLoss(_ probe: Pending) {
        switch probe.key {
        case .router(let address):
            let router = SharedHops.Router(hop: probe.probe.hop, address: address)
            shared.recordLoss(of: router, group: SharedHops.Group(probe.probe.destination), sent: probe.sent)
            if !confirmations.isEmpty { recordLoss(of: address, sent: probe.sent) }
        case .unknown: divisions[probe.key, default: HopDivision()].recordLoss(sent: probe.sent)
        case .destination: break
        }
    }
}
