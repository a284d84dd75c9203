import NIOCore
import ReachMonitoring

extension ProbeLoop {
    /// Watches those of the targets that belong to this lane. Known targets get their new settings; the numbers of
    /// their probes continue.
    func watch(_ all: [ProbeRequest.Assignment], at now: Duration) {
        links.start()
        let others = all.filter { !lane.contains($0) }
        let assignments = others.isEmpty ? all : all.filter(lane.contains)
        // With another method, a target may belong to another lane.
        let moved = others.map(\.id).filter { watches[$0] != nil }
        if !moved.isEmpty { forget(moved) }
        guard !assignments.isEmpty else { return }
        let isFirst = watches.isEmpty
        var changed: [TargetHost] = []
        for assignment in assignments {
            let prober = prober(for: assignment.target.question.method)
            if let known = watches[assignment.id] {
                changed.append(known.host)
                rateTimedHere -= known.rateTimedHere
                setUrgent(false, of: known)
                var number = known.number
                if !known.target.probesTheSame(as: assignment.target) {
                    drop(known)
                    number = watchNumber
                    if !assignment.target.question.method.opensDescriptors { budget.forget([assignment.id]) }
                }
                known.update(to: assignment, prober: prober, number: number)
                rateTimedHere += known.rateTimedHere
            } else {
                watchNumber += 1
                let watch = WatchedTarget(number: watchNumber, of: assignment, prober: prober)
                watches[assignment.id] = watch
                rateTimedHere += watch.rateTimedHere
            }
        }
        let entries = assignments.map { assignment in
            Schedule.Entry(
                id: assignment.id,
                interval: assignment.target.interval,
                spread: assignment.target.spread
            )
        }
        schedule.add(entries, at: now)
        lastSlot = Self.distantPast
        // Targets may be added one at a time: a full scan for each would be quadratic.
        let shortest = assignments.map(\.target.interval).min() ?? .zero
        shortestInterval = isFirst ? shortest : min(shortestInterval, shortest)
        // Links and routes are local: probing them costs nothing, and needs no spread.
        schedule.probeNow(assignments.filter { $0.target.question.method.isLocal }.map(\.id), at: now)
        if !changed.isEmpty { tidyLater(changed) }
    }

    /// Stops watching these targets.
    func forget(_ ids: [Target.ID]) {
        schedule.remove(ids)
        budget.forget(ids)
        let removed = ids.compactMap { id -> WatchedTarget? in
            guard let watch = watches.remove(id) else { return nil }
            setUrgent(false, of: watch)
            dropFromBudget(watch)
            forgetSilence(of: watch)
            watch.prober.forget(id)
            rateTimedHere -= watch.rateTimedHere
            return watch
        }
        if watches.isEmpty {
            rateTimedHere = 0
            report(load.end(), at: now())
        }
        if !removed.isEmpty { tidyLater(removed.map(\.host)) }
    }

    /// Starts or stops probing a target for its recovery.
    func setUrgent(_ isUrgent: Bool, of watch: WatchedTarget) {
        guard watch.isUrgent != isUrgent else { return }
        watch.isUrgent = isUrgent
        urgent += isUrgent ? 1 : -1
    }

    /// Handles a change of this machine's network. Sessions adapt to it, and links and routes are probed at once. When
    /// an outbound route returns, every target is.
    func receive(_ event: LinkWatch.Event) {
        if case .outboundRoute(let exists) = event { reportOutboundRoute(exists: exists) }
        lane.relay(event)
        adapt(to: event)
        // The new link may be an outbound route like the old one.
        if case .changed(let network) = event, links.reportedOutboundRoute == true, network.outboundInterface != nil {
            reportOutboundRoute(exists: true)
        }
    }

    /// Reports at once whether an outbound route exists, before losses caused by it arrive from other lanes. At the
    /// start, an existing route is expected, and does not wake the consumer.
    private func reportOutboundRoute(exists: Bool) {
        let isExpected = exists && lastHandOver == .zero
        report(.link(isUp: exists, at: now()), isRoutine: isExpected)
        if !isExpected { handOver() }
    }

    /// Handles an event of this machine's network that another lane has forwarded.
    func receiveRelayed(_ event: LinkWatch.Event) {
        links.receiveRelayed(event)
        adapt(to: event)
        setAlarm()
    }

    private func adapt(to event: LinkWatch.Event) {
        let now = now()
        switch event {
        case .changed(let network):
            names.invalidateLinkLocal()
            // First, so that a session on a lost interface reports the loss once.
            updateZones(at: now)
            for prober in probers.values { prober.adapt(to: network, at: now) }
            schedule.probeNow(watches.ids.filter { watches[$0]?.method.isLocal == true }, at: now)
            probeSilent(at: now)
        case .cameBack:
            names.invalidateAll()
            silent.routeReturned(at: now)
            schedule.probeNow(watches.ids, at: now)
        case .answered(let address):
            probeSilent(at: [address])
        case .outboundRoute:
            break
        }
    }

    /// Probes the targets on an interface that has appeared, disappeared, or changed its index. Connections over the
    /// old interface are closed.
    private func updateZones(at now: Duration) {
        let moved = watches.ids.filter { watches[$0]?.hasMoved == true }
        guard !moved.isEmpty else { return }
        for id in moved {
            guard let watch = watches[id] else { continue }
            drop(watch)
            watch.follow(number: watchNumber)
            guard watch.method == .session, case .unusable(let failure) = watch.host else { continue }
            report(.session(id, .waiting(failure), address: nil, at: now))
        }
        schedule.probeNow(moved, at: now)
    }

    /// Discards the probes of this target in flight, without a report, and closes its connections. The target continues
    /// with the number `watchNumber`.
    private func drop(_ watch: WatchedTarget) {
        watchNumber += 1
        dropFromBudget(watch)
        forgetSilence(of: watch)
        watch.prober.forget(watch.id)
    }

    /// Removes the probes of this target in flight from the descriptor budget.
    private func dropFromBudget(_ watch: WatchedTarget) {
        if watch.method.opensDescriptors { budget.drop(watch.inFlight) }
    }

    /// Schedules ``tidy()``. It scans all targets; one scan serves many targets that are removed one at a time.
    private func tidyLater(_ removed: [TargetHost]) {
        removedNames.formUnion(removed.compactMap(\.name))
        guard !willTidy else { return }
        willTidy = true
        gate.schedule(in: Self.tidyPause) { [self] in tidy() }
    }

    /// Releases names and sockets that no target needs.
    func tidy() {
        guard willTidy else { return }
        willTidy = false
        let targets = watches.values.map(\.target)
        if !targets.isEmpty { shortestInterval = targets.map(\.interval).min() ?? .zero }
        let needed = Set(watches.values.compactMap(\.host.name))
        for name in removedNames.subtracting(needed) { names.forget(name) }
        removedNames = []
        let questions = targets.map(\.question)
        for prober in probers.values { prober.closeUnneeded(for: questions) }
        setAlarm()
    }
}
