import DequeModule

extension PathPlan {
    /// Returns the probes to send at `time`. Lost probes are counted, and traces continue.
    public mutating func due(at time: Duration) -> [PathProbe] {
        now = max(now, time)
        expire()
        while let timer = timers.take(at: now) { handle(timer) }
        startQueued()
        let probes = sendReady()
        dropObsoleteTimers()
        return probes
    }

    private mutating func handle(_ timer: Timer) {
        switch timer {
        case .refresh(let slot, let due):
            guard slots[slot].refresh == due else { return }
            slots[slot].refresh = nil
            slots[slot].wasDue = due
            guard slots[slot].run == nil, !slots[slot].isQueued else {
                if slots[slot].run != nil { scheduleRefresh(slot) }
                return
            }
            slots[slot].isQueued = true
            refreshQueue.append(slot)
        case .watch(let slot, let serial):
            guard slots[slot].watch?.serial == serial else { return }
            advanceWatch(slot)
        case .patience(let slot, let serial):
            guard slots[slot].run?.serial == serial else { return }
            losePatience(slot)
        case .budget(let key): grant(key)
        case .loss(let number): lose(number)
        }
    }

    /// Lets the next probe pass that waits for a budget.
    private mutating func grant(_ key: PathBudget.Key) {
        guard budget.isFree(key, at: now) else {
            timers.add(.budget(key), at: budget.free(key))
            return
        }
        while let wish = budget.next(key) {
            guard isWanted(wish) else { continue }
            ready[wish.priority.rawValue].add(wish)
            break
        }
        guard budget.hasWaiting(key) else { return }
        timers.add(.budget(key), at: now + PathBudget.pause(routers: divisions[key]?.routers ?? 1))
    }

    /// Wants a probe: it is sent when the budget and the rate permit.
    mutating func wish(_ wish: PathWish) {
        let key = budgetKey(of: wish)
        if budget.isFree(key, at: now), wish.priority == .confirmation || !budget.hasWaiting(key) {
            ready[wish.priority.rawValue].add(wish)
        } else {
            wait(wish, for: key)
        }
    }

    private mutating func wait(_ wish: PathWish, for key: PathBudget.Key) {
        if budget.wait(wish, for: key) { timers.add(.budget(key), at: max(now, budget.free(key))) }
    }

    /// Sends what may be sent now, the most important first.
    private mutating func sendReady() -> [PathProbe] {
        var probes: [PathProbe] = []
        for priority in PathPriority.allCases {
            while !ready[priority.rawValue].isEmpty {
                if priority.isPaced, rate.next(isUrgent: priority == .down) > now { break }
                guard let wish = ready[priority.rawValue].popFirst(), isWanted(wish) else { continue }
                let key = budgetKey(of: wish)
                if budget.isFree(key, at: now) {
                    if let probe = send(wish, key) { probes.append(probe) }
                } else {
                    wait(wish, for: key)
                }
            }
        }
        return probes
    }

    /// Whether the probe is still needed. A trace that can stop now, since others verified its hops meanwhile, stops.
    private mutating func isWanted(_ wish: PathWish) -> Bool {
        switch wish.purpose {
        case .watch:
            guard slots[wish.slot].watch?.serial == wish.serial else { return false }
            guard wish.size == nil, let end = slots[wish.slot].trace.destinationHop(flow: wish.flow), wish.hop > end
            else { return true }
            // The destination has answered before this hop meanwhile.
            endWait(wish)
            return false
        case .run:
            guard slots[wish.slot].run?.serial == wish.serial, slots[wish.slot].run?.isWanted(wish.hop) == true else {
                return false
            }
            guard let candidate = slots[wish.slot].run?.stopCandidate, wish.hop < candidate, stopIfShared(wish.slot)
            else { return true }
            advance(wish.slot)
            return false
        case .confirmation: return confirmations[wish.serial] != nil
        }
    }

    private mutating func send(_ wish: PathWish, _ key: PathBudget.Key) -> PathProbe? {
        guard let id = slots[wish.slot].id else { return nil }
        repeat { number &+= 1 } while pending[number] != nil
        let probe = PathProbe(
            number: number,
            destination: slots[wish.slot].trace.destination,
            hop: wish.hop,
            flow: wish.flow,
            size: wish.size
        )
        pending[number] = Pending(
            probe: probe,
            slot: wish.slot,
            id: id,
            serial: wish.serial,
            purpose: wish.purpose,
            sent: now,
            key: key
        )
        timeouts.append((number, now + options.timeout))
        answerable.append((number, now + options.latest))
        if wish.purpose == .confirmation || wish.purpose == .run && slots[wish.slot].run?.cause == .down,
            let timeout = slots[wish.slot].trace.usualTimeout, timeout < options.timeout
        {
            timers.add(.loss(number), at: now + timeout)
        }
        budget.charge(key, routers: divisions[key]?.routers ?? 1, at: now)
        slots[wish.slot].trace.recordSent(probe)
        switch wish.purpose {
        case .run:
            rate.record(at: now)
            slots[wish.slot].run?.recordSent(wish.hop)
        case .watch:
            endWait(wish)
        case .confirmation: recordSent(confirmation: wish.serial)
        }
        return probe
    }

    /// Ends the wait of a probe of a watched path: it is sent, or no longer needed.
    private mutating func endWait(_ wish: PathWish) {
        let slot = wish.slot
        slots[slot].watch?.waiting.remove(.init(hop: wish.size == nil ? wish.hop : 0, flow: wish.flow))
        guard let watch = slots[slot].watch, watch.isHeld, watch.waiting.isEmpty else { return }
        timers.add(.watch(slot: slot, serial: watch.serial), at: now)
    }

    private func budgetKey(of wish: PathWish) -> PathBudget.Key {
        confirmations[wish.serial]?.key ?? budgetKey(slot: wish.slot, hop: wish.hop, flow: wish.flow)
    }

    /// Whose budget a probe uses: that of the router or destination that is likely to answer.
    func budgetKey(slot: Int, hop: Int, flow: Int) -> PathBudget.Key {
        let trace = slots[slot].trace
        let destination = trace.destination
        if let length = trace.knownLength, hop >= length { return .destination(destination.address) }
        if let address = trace.hop(hop, flow: flow)?.address { return .router(address) }
        if let index = networks[destination.network]?.neighbour, index != slot,
            let length = slots[index].trace.knownLength
        {
            let neighbour = slots[index].trace
            if hop >= length { return .destination(destination.address) }
            if let address = neighbour.hop(hop)?.address { return .router(address) }
        }
        if let address = trace.hop(hop + 1, flow: flow)?.address,
            let parent = shared.parent(
                of: SharedHops.Router(hop: hop + 1, address: address),
                group: SharedHops.Group(destination)
            ), parent.hop == hop
        {
            return .router(parent.address)
        }
        let unknown = PathBudget.Key.unknown(hop: hop, isIPv6: destination.isIPv6)
        if let address = divisions[unknown]?.only { return .router(address) }
        return unknown
    }

    /// Probes the next hop of a watched path.
    private mutating func advanceWatch(_ slot: Int) {
        guard slots[slot].watch?.hold() == false, var watch = slots[slot].watch else { return }
        slots[slot].watch = nil
        let trace = slots[slot].trace
        let (flow, round) = (watch.flow, watch.round)
        var limit = trace.probeLimit(flow: flow)
        // Flows have the same length, unless a router answers there.
        if flow > 0, let length = trace.destinationHop(), trace.hop(length, flow: flow)?.answered ?? 0 == 0 {
            limit = min(limit, length)
        }
        if round == 0, trace.destinationHop() == nil { limit = min(trace.maxHops, max(limit, PathWatch.firstRound)) }
        let (hop, isRoundComplete, next) = watch.advance(limit: limit, spacing: options.spacing, at: now)
        let needed = hop.flatMap { watch.waiting.insert(.init(hop: $0, flow: flow)).inserted ? $0 : nil }
        var size: Int?
        if isRoundComplete, watch.searchesMTU, round > 0, !trace.mtu.isDone,
            watch.waiting.insert(.init(hop: 0, flow: flow)).inserted
        {
            size = trace.mtu.candidate
        }
        let serial = watch.serial
        slots[slot].watch = watch
        if !watch.isComplete { timers.add(.watch(slot: slot, serial: serial), at: next) }
        func wish(_ hop: Int, size: Int? = nil) -> PathWish {
            PathWish(
                slot: slot,
                serial: serial,
                purpose: .watch,
                priority: .watch,
                hop: hop,
                flow: flow,
                size: size
            )
        }
        if let needed { self.wish(wish(needed)) }
        if let size { self.wish(wish(trace.maxHops, size: size)) }
    }
}
