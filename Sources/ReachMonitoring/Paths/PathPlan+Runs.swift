import DequeModule

extension PathPlan {
    /// How long a trace for a target that went down waits for the budget of a router, before answers to others count.
    static let patience = Duration.seconds(1)
    /// The same again after the first seconds. Losses of others count from so long before the trace on.
    static let laterPatience = Duration.seconds(5)
    /// How long it waits for a budget or the rate at all.
    static let longestPatience = Duration.seconds(300)

    /// The maximum number of first traces and refreshes at a time. Most wait for an answer or a budget.
    private var maxRunning: Int { max(16, rate.limit * 4) }

    /// Starts waiting first traces and refreshes.
    mutating func startQueued() {
        while running < maxRunning {
            guard let slot = firstQueue.popFirst() ?? refreshQueue.popFirst() else { return }
            // Removed.
            guard slots[slot].id != nil else { continue }
            let network = slots[slot].trace.destination.network
            // Traced meanwhile for another reason.
            guard slots[slot].isQueued, slots[slot].run == nil else {
                slots[slot].isQueued = false
                continueFirst(in: network)
                continue
            }
            let isFirst = slots[slot].runs == 0
            if isFirst {
                guard networks[network, default: PathNetwork()].startFirst(slot) else { continue }
            }
            start(isFirst ? .first : .refresh, slot)
        }
    }

    mutating func start(_ cause: PathCause, _ slot: Int) {
        let trace = slots[slot].trace
        let length = trace.knownLength ?? neighbourLength(slot)
        let last = trace.lastAnsweringHop()
        let period = max(1, (count + Self.completeTraces - 1) / Self.completeTraces)
        let run = PathRun(
            cause: cause,
            serial: nextSerial(),
            started: now,
            start: trace.knownLength ?? (last > 0 ? last : length ?? Int(usualLength.rounded()) + 1),
            maxHops: trace.maxHops,
            knownLength: length,
            isComplete: (slots[slot].runs + slot) % period == 0 || trace.isUndecided,
            isDeciding: slots[slot].isDeciding,
            silent: cause == .down ? trace.silentHops : []
        )
        slots[slot].runs += 1
        slots[slot].shared = []
        slots[slot].run = run
        if cause != .down { running += 1 }
        if cause == .down { timers.add(.patience(slot: slot, serial: run.serial), at: now + Self.patience) }
        slots[slot].isQueued = false
        scheduleRefresh(slot)
        advance(slot)
    }

    mutating func cancelRun(_ slot: Int) {
        guard let run = slots[slot].run else { return }
        if run.cause != .down { running -= 1 }
        slots[slot].run = nil
        reportChanges(slot)
        endTurn(slot)
    }

    /// Reports the changes that a run has found: after its result, so that the hops are those of one path.
    private mutating func reportChanges(_ slot: Int) {
        guard let id = slots[slot].id else { return }
        for change in slots[slot].changes { events.append(.changed(id, change, at: now)) }
        slots[slot].changes = []
    }

    /// Starts the trace of a target that is down. Of a network whose paths are not known, a few go first: all at once would
    /// wait for each other at each hop.
    mutating func startOutage(_ slot: Int) {
        let trace = slots[slot].trace
        if trace.knownLength == nil {
            let network = trace.destination.network
            guard networks[network, default: PathNetwork()].startOutage(slot, at: now) else { return }
        }
        start(.down, slot)
    }

    /// Lets the traces continue that waited for others of their network.
    mutating func continueOutages(in network: String) {
        var next: [Int] = []
        var isOver = false
        repeat {
            next = networks[network]?.nextOutages(at: now) ?? []
            for slot in next where slots[slot].run?.cause != .down {
                isOver = true
                cancelRun(slot)
                startOutage(slot)
            }
            // Those that are traced already release others.
        } while !isOver && !next.isEmpty
    }

    /// Ends a trace that others of its network may wait for.
    private mutating func endTurn(_ slot: Int) {
        let network = slots[slot].trace.destination.network
        networks[network]?.end(slot)
        continueFirst(in: network)
    }

    /// Lets the paths continue that waited for others of their network.
    mutating func continueFirst(in network: String) {
        firstQueue += networks[network]?.nextFirst() ?? []
        if networks[network]?.isUnused == true { networks[network] = nil }
    }

    private func neighbourLength(_ slot: Int) -> Int? {
        guard let index = networks[slots[slot].trace.destination.network]?.neighbour, index != slot else { return nil }
        return slots[index].trace.knownLength
    }

    /// Wants the next probes of a run, or ends it.
    mutating func advance(_ slot: Int) {
        guard let hops = slots[slot].run?.wanted(), let run = slots[slot].run else { return }
        for hop in hops { wish(hop, of: run, slot) }
        if hops.isEmpty, run.isDone { complete(slot) }
    }

    private mutating func wish(_ hop: Int, of run: PathRun, _ slot: Int) {
        let priority: PathPriority =
            switch run.cause {
            case .down: .down
            case .first: .first
            case .refresh: .refresh
            }
        wish(
            PathWish(
                slot: slot,
                serial: run.serial,
                purpose: .run,
                priority: priority,
                hop: hop,
                flow: 0,
                size: nil
            )
        )
    }

    mutating func continueRun(after answer: PathAnswer, to probe: Pending) {
        let (slot, hop) = (probe.slot, probe.probe.hop)
        guard let run = slots[slot].run, run.serial == probe.serial else { return }
        switch answer.kind {
        case .reached, .unreachable:
            slots[slot].run?.recordEnd(hop)
            skipKnownRouter(slot, end: hop)
        case .exceeded, .tooBig:
            let isUndecided = slots[slot].trace.hop(hop)?.addressGroup.isUndecided ?? false
            if slots[slot].run?.recordPassed(hop, isUndecided: isUndecided) == true { wish(hop, of: run, slot) }
            if slots[slot].trace.loop(since: run.started) != nil { slots[slot].run?.isLooping = true }
            _ = stopIfShared(slot)
        }
        advance(slot)
    }

    mutating func continueRun(afterLossOf probe: Pending) {
        let (slot, hop) = (probe.slot, probe.probe.hop)
        guard let run = slots[slot].run, run.serial == probe.serial else { return }
        let state = slots[slot].trace.hop(hop)
        let isKnownSilent = state.map { $0.address == nil && $0.lost > 2 } ?? false
        // Without the losses of this trace.
        let isReliable = state.map { $0.answered > 0 && ($0.lost - run.tries(of: hop)) * 10 <= $0.answered } ?? false
        if slots[slot].run?.recordLoss(hop, isKnownSilent: isKnownSilent, isReliable: isReliable) == true {
            slots[slot].trace.recordRepetition(of: hop)
            wish(hop, of: run, slot)
        }
        advance(slot)
    }

    /// Ends the way back if the hops before the lowest one that answered can be shared.
    mutating func stopIfShared(_ slot: Int) -> Bool {
        guard let run = slots[slot].run, !run.isComplete, let hop = run.stopCandidate,
            let address = slots[slot].trace.hop(hop)?.address
        else { return false }
        return stop(slot, at: SharedHops.Router(hop: hop, address: address))
    }

    /// Spares the router before the destination its probe in a refresh, if the destination still answers at the same
    /// hop and others verified the router. Every fourth refresh probes it nevertheless, if its budget is free.
    private mutating func skipKnownRouter(_ slot: Int, end: Int) {
        let trace = slots[slot].trace
        guard let run = slots[slot].run, run.cause == .refresh, !run.isComplete, run.lowest == end, end > 1,
            trace.knownLength == end, let hop = trace.hop(end - 1), !hop.isShared, hop.answer == .exceeded,
            let address = hop.address
        else { return }
        let key = PathBudget.Key.router(address)
        if (slots[slot].runs + slot).isMultiple(of: 4), budget.isFree(key, at: now), !budget.hasWaiting(key) { return }
        _ = stop(slot, at: SharedHops.Router(hop: end - 1, address: address))
    }

    private mutating func stop(_ slot: Int, at router: SharedHops.Router) -> Bool {
        guard share(slot, at: router) else { return false }
        slots[slot].run?.stop()
        return true
    }

    /// Notes the hops until a router that others verified, to be taken over when the run is done.
    private mutating func share(_ slot: Int, at router: SharedHops.Router) -> Bool {
        let group = SharedHops.Group(slots[slot].trace.destination)
        guard shared.isVerified(router, group: group, at: now),
            let routers = shared.routers(before: router, for: slots[slot].trace, at: now)
        else { return false }
        slots[slot].shared = [router] + routers
        return true
    }

    /// A router that many traces need is probed once a second: a trace that waits for it takes what others found since it
    /// started, also that the router is silent. The same holds for a hop whose router it does not know.
    mutating func losePatience(_ slot: Int) {
        guard let run = slots[slot].run else { return }
        let trace = slots[slot].trace
        let group = SharedHops.Group(trace.destination)
        let isOver = now >= run.started + Self.longestPatience
        if shareOutage(slot, run) { return }
        for number in 1...trace.maxHops where run.isWanted(number) {
            let router = trace.hop(number)?.address.map { SharedHops.Router(hop: number, address: $0) }
            let unknown = PathBudget.Key.unknown(hop: number, isIPv6: trace.destination.isIPv6)
            let silent = router.map { shared.silentSince($0, group: group) } ?? divisions[unknown]?.silentSince
            if let router, let time = shared.lastAnswer(of: router, group: group), time >= run.started {
                slots[slot].trace.confirm(number, at: time)
                slots[slot].run?.giveUp(number)
            } else if isOver || silent.map({ $0 >= run.started - Self.laterPatience }) ?? false {
                slots[slot].run?.giveUp(number)
            }
        }
        let isNew = now < run.started + Self.laterPatience
        timers.add(.patience(slot: slot, serial: run.serial), at: now + (isNew ? Self.patience : Self.laterPatience))
        advance(slot)
    }

    /// Takes over where the paths to others in the network of a target that is down end, if its own path was never known, and
    /// that was found a moment ago. Returns whether the run is done.
    private mutating func shareOutage(_ slot: Int, _ run: PathRun) -> Bool {
        let trace = slots[slot].trace
        guard run.cause == .down, trace.knownLength == nil, run.end == nil,
            let outage = networks[trace.destination.network]?.outage, outage.method == trace.destination.method,
            outage.isNew(at: run.started)
        else { return false }
        // What its own probes found stands.
        guard run.passed.allSatisfy({ $0 <= outage.hops.count }) else { return false }
        for (index, address) in outage.hops.enumerated() where !run.passed.contains(index + 1) {
            slots[slot].trace.share(address, at: index + 1, confirmed: max(outage.time, run.started))
        }
        for number in 1...trace.maxHops { slots[slot].run?.giveUp(number) }
        slots[slot].run?.hasSharedEnd = true
        advance(slot)
        return slots[slot].run == nil
    }

    /// Records where the path to a target that is down ends, for others in its network.
    private mutating func recordOutage(_ end: PathEnd, of run: PathRun, _ slot: Int) {
        let trace = slots[slot].trace
        guard run.cause == .down, case .silent(let hop, _, _) = end, run.passed.last == hop else { return }
        let network = trace.destination.network
        let outage = PathNetwork.Outage(
            method: trace.destination.method,
            hops: trace.hops().prefix(hop).map(\.observed),
            time: now
        )
        networks[network, default: PathNetwork()].outage = outage.following(networks[network]?.outage)
    }

    private mutating func complete(_ slot: Int) {
        guard let run = slots[slot].run, let id = slots[slot].id else { return }
        slots[slot].run = nil
        if run.cause != .down { running -= 1 }
        let isWatched = slots[slot].watch != nil
        if !isWatched {
            slots[slot].trace.begin(at: run.started)
            if let end = run.end, slots[slot].trace.hop(end)?.isEnd == true {
                slots[slot].trace.settleDestination(at: end)
            }
        }
        if run.cause == .down { shareUnprobed(of: run, slot) }
        takeShared(slot)
        recordRouters(of: run, slot)
        if !isWatched { slots[slot].trace.trim() }
        let trace = slots[slot].trace
        if run.end != nil, let length = trace.knownLength {
            usualLength += (Double(length) - usualLength) / 16
            networks[trace.destination.network, default: PathNetwork()].neighbour = slot
        }
        endTurn(slot)
        decideSoon(slot)
        // Answers to a watch from before the run say nothing about it.
        let end = run.probes == 0 && !run.hasSharedEnd ? .notSent : trace.end(since: run.started)
        recordOutage(end, of: run, slot)
        let completion = PathCompletion(
            cause: run.cause,
            end: end,
            started: run.started,
            probes: run.probes,
            hops: trace.addresses(until: end)
        )
        events.append(.completed(id, completion))
        reportChanges(slot)
        continueOutages(in: trace.destination.network)
    }

    /// Takes over the hops before the first one that answered, if none of them is known: a trace at once ends before all of
    /// them are probed.
    private mutating func shareUnprobed(of run: PathRun, _ slot: Int) {
        let trace = slots[slot].trace
        guard let first = run.passed.first, let address = trace.hop(first)?.address,
            (1..<first).allSatisfy({ trace.hop($0)?.sent ?? 0 == 0 })
        else { return }
        _ = share(slot, at: SharedHops.Router(hop: first, address: address))
    }

    /// Takes over the hops where the run stopped.
    private mutating func takeShared(_ slot: Int) {
        let routers = slots[slot].shared
        slots[slot].shared = []
        guard var hop = routers.first?.hop else { return }
        let group = SharedHops.Group(slots[slot].trace.destination)
        for router in routers.dropFirst() {
            for silent in router.hop + 1..<max(hop, router.hop + 1) {
                slots[slot].trace.share(nil, at: silent, confirmed: nil)
            }
            let seen = shared.lastAnswer(of: router, group: group)
            slots[slot].trace.share(router.address, at: router.hop, confirmed: seen)
            hop = router.hop
        }
        for silent in 1..<max(hop, 1) { slots[slot].trace.share(nil, at: silent, confirmed: nil) }
    }

    /// Records the routers that a run found, for others.
    private mutating func recordRouters(of run: PathRun, _ slot: Int) {
        let trace = slots[slot].trace
        let group = SharedHops.Group(trace.destination)
        var parent: SharedHops.Router?
        for number in run.passed {
            guard let hop = trace.hop(number), hop.answer == .exceeded, let address = hop.source else { continue }
            let router = SharedHops.Router(hop: number, address: address)
            // The first router of the run has no known parent, unless all hops before it were probed in vain.
            if parent != nil || run.isFirst(number) {
                let sent = hop.lastAnswered ?? run.started
                shared.record(router, behind: parent, group: group, sent: sent, at: now)
            }
            parent = router
        }
    }
}
