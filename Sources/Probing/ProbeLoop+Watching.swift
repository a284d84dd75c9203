import Monitoring
import NIOCore

extension ProbeLoop {
    /// Asks those of these targets from now on that are this lane's; known ones by their new settings, their probes
    /// counted on.
    func watch(_ all: [ProbeRequest.Assignment], at now: Duration) {
        links.start()
        let others = all.filter { !share.asks($0) }
        let assignments = others.isEmpty ? all : all.filter(share.asks)
        // By another method, a target may be another lane's from now on.
        let moved = others.map(\.id).filter { watches[$0] != nil }
        if !moved.isEmpty { forget(moved) }
        guard !assignments.isEmpty else { return }
        let isFirst = watches.isEmpty
        var changed: [Place] = []
        for assignment in assignments {
            let prober = prober(for: assignment.target.question.method)
            if let known = watches[assignment.id] {
                changed.append(known.place)
                rateTimedHere -= known.rateTimedHere
                setUrgent(false, of: known)
                var number = known.number
                if !known.target.asksTheSame(as: assignment.target) {
                    drop(known)
                    number = watchNumber
                    if !assignment.target.question.method.opensDescriptors { budget.forget([assignment.id]) }
                }
                known.update(to: assignment, prober: prober, number: number)
                rateTimedHere += known.rateTimedHere
            } else {
                watchNumber += 1
                let watch = Watch(number: watchNumber, of: assignment, prober: prober)
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
        lastSlot = Self.longAgo
        // Many may come one by one: looking at all for each would take the square of the time.
        let shortest = assignments.map(\.target.interval).min() ?? .zero
        shortestInterval = isFirst ? shortest : min(shortestInterval, shortest)
        // What this machine knows by itself costs nothing to ask, and is no load to stagger.
        schedule.hasten(assignments.filter { $0.target.question.method.isLocal }.map(\.id), at: now)
        if !changed.isEmpty { tidyLater(changed) }
    }

    /// Asks these no more.
    func forget(_ ids: [Target.ID]) {
        schedule.remove(ids)
        budget.forget(ids)
        let left = ids.compactMap { id -> Watch? in
            guard let watch = watches.remove(id) else { return nil }
            setUrgent(false, of: watch)
            leave(watch)
            forgetSilence(of: watch, id)
            watch.prober.forget(id)
            rateTimedHere -= watch.rateTimedHere
            return watch
        }
        if watches.isEmpty { rateTimedHere = 0 }
        if !left.isEmpty { tidyLater(left.map(\.place)) }
    }

    /// Begins or ends to probe a target for its recovery.
    func setUrgent(_ isUrgent: Bool, of watch: Watch?) {
        guard let watch, watch.isUrgent != isUrgent else { return }
        watch.isUrgent = isUrgent
        urgent += isUrgent ? 1 : -1
    }

    /// Takes in what happens to this machine's network: what holds a connection looks after it, what is known of links and
    /// routes is asked anew at once, and when something leads out again, everything is.
    func hear(_ word: LinkWatch.Word) {
        if case .wayOut(let isThere) = word { tell(isWayOutThere: isThere) }
        share.relay(word)
        follow(word)
        // Another link may lead to the same as before.
        if case .changed(let network) = word, links.isWayOutTold == true, network.exit != nil {
            tell(isWayOutThere: true)
        }
    }

    /// Tells it at once: losses that come of it, which other lanes may notice, are to be told later. Nobody is woken at the
    /// start to be told that something leads out.
    private func tell(isWayOutThere isThere: Bool) {
        let isExpected = isThere && lastHandOver == .zero
        report(.link(isUp: isThere, at: time()), isRoutine: isExpected)
        if !isExpected { handOver() }
    }

    /// Takes in what another lane has told of this machine's network.
    func learn(_ word: LinkWatch.Word) {
        links.learn(word)
        follow(word)
        setAlarm()
    }

    private func follow(_ word: LinkWatch.Word) {
        let now = time()
        switch word {
        case .changed(let network):
            names.doubtZones()
            // Before the others: a session on a lost interface reports that once.
            followZones(at: now)
            for prober in probers.values { prober.adapt(to: network, at: now) }
            schedule.hasten(watches.ids.filter { watches[$0]?.method.isLocal == true }, at: now)
            probeSilent(at: now)
        case .cameBack:
            names.doubtAll()
            schedule.hasten(watches.ids, at: now)
        case .answered(let address):
            probeSilent(at: [address])
        case .wayOut:
            break
        }
    }

    /// Probes targets on an interface that has another index now, has come or has gone. What is held by way of the old
    /// interface is closed.
    private func followZones(at now: Duration) {
        let moved = watches.ids.filter { watches[$0]?.hasMoved == true }
        guard !moved.isEmpty else { return }
        for id in moved {
            guard let watch = watches[id] else { continue }
            drop(watch)
            watch.follow(number: watchNumber)
            guard watch.method == .session, case .unusable(let failure) = watch.place else { continue }
            report(.session(id, .waiting(failure), address: nil, at: now))
        }
        schedule.hasten(moved, at: now)
    }

    /// Ends the probes of this target that are under way, which are not reported, and closes what is held for it. The target
    /// goes on under the number `watchNumber`.
    private func drop(_ watch: Watch) {
        watchNumber += 1
        leave(watch)
        forgetSilence(of: watch, watch.id)
        watch.prober.forget(watch.id)
    }

    /// The probes of this target that are under way do not count any more.
    private func leave(_ watch: Watch) {
        if watch.method.opensDescriptors { budget.drop(watch.inFlight) }
    }

    /// Lets go, after a while, of what no target needs any more. It looks at all targets, and so many that are removed one by
    /// one have it done once.
    private func tidyLater(_ left: [Place]) {
        leftNames.formUnion(left.compactMap(\.name))
        guard !willTidy else { return }
        willTidy = true
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        gate.loop.scheduleTask(in: .nanoseconds(Self.tidyPause.nanoseconds)) { bound.value.tidy() }
    }

    /// Lets go of what no target needs any more.
    func tidy() {
        guard willTidy else { return }
        willTidy = false
        let targets = watches.values.map(\.target)
        if !targets.isEmpty { shortestInterval = targets.map(\.interval).min() ?? .zero }
        let needed = Set(watches.values.compactMap(\.place.name))
        for name in leftNames.subtracting(needed) { names.forget(name) }
        leftNames = []
        let questions = targets.map(\.question)
        for prober in probers.values { prober.keep(for: questions) }
        setAlarm()
    }
}
