/// Verdicts that wait until it is known whether the way to the target is interrupted.
extension Roster {
    /// Whether the verdict on a lost probe waits for what is known about the way. As long as nothing on the far side has
    /// answered, the way is not known to work, and targets are judged as always.
    mutating func mustWaitForSides(_ position: Int, _ outcome: Outcome) -> Bool {
        guard sideWatch?.hasAnswered == true, states[position].health != .down, outcome.arrival == .lost else {
            return false
        }
        switch place(of: position) {
        case .farSide, .behindGateway: return true
        case .elsewhere, .thisMachine, .gateway, .neighbour: return false
        }
    }

    /// Holds the verdict on a lost probe if it is due, and others have not answered since.
    ///
    /// - Returns: whether the verdict is held.
    mutating func holdDueVerdict(
        on position: Int,
        because loss: Observation,
        into consequences: inout Consequences
    ) -> Bool {
        let state = states[position]
        guard state.isProbed, state.judge.isLosing, state.judge.isVerdictDue(under: state.target.thresholds) else {
            return false
        }
        return holdVerdict(on: position, sent: loss.sent, known: loss.time, at: loss.time, into: &consequences)
    }

    /// Holds the verdict on a target that is due, unless others answered since.
    ///
    /// - Parameters:
    ///   - sent: when the newest lost probe was sent.
    ///   - known: when its loss was known; nil if that is not known any more.
    /// - Returns: whether the verdict is held.
    mutating func holdVerdict(
        on position: Int,
        sent: Duration,
        known: Duration?,
        at now: Duration,
        into consequences: inout Consequences
    ) -> Bool {
        guard sideWatch != nil else { return false }
        let id = states[position].id
        let place = place(of: position)
        let acquitted = min(known ?? sent + SideWatch.roundTrip, sent + SideWatch.roundTrip)
        let held = SideWatch.Held(
            since: sideWatch?.held[id]?.since ?? now,
            family: states[position].probedFamily,
            sent: sent,
            acquitted: acquitted
        )
        if sideWatch?.isOwnLoss(held, isBehindGateway: place == .behindGateway) == true {
            sideWatch?.held[id] = nil
            return false
        }
        sideWatch?.held[id] = held
        if let outage = sideWatch?.outage, outage.covers(place) {
            sideWatch?.held[id] = nil
            sideWatch?.outage?.answering.remove(id)
            refreshSides([id], at: now, into: &consequences)
            return true
        }
        ask(for: position, at: now, into: &consequences)
        examineSides(at: now, into: &consequences)
        return true
    }

    /// Holds the verdict on a target that no longer waits for its parents, if it is due, and others have not answered since.
    ///
    /// - Returns: whether the verdict is held.
    mutating func holdVerdict(on position: Int, at now: Duration, into consequences: inout Consequences) -> Bool {
        let state = states[position]
        let outcome: Outcome = state.failure.map { .failure($0) } ?? .timeout
        guard state.judge.isLosing, mustWaitForSides(position, outcome),
            state.judge.isVerdictDue(under: state.target.thresholds)
        else { return false }
        return holdVerdict(on: position, sent: state.judge.newestLossSent, known: nil, at: now, into: &consequences)
    }

    /// Gives a verdict that waited.
    mutating func giveVerdict(on id: Target.ID, at now: Duration, into consequences: inout Consequences) {
        sideWatch?.held[id] = nil
        guard let position = positions[id], states[position].isProbed, states[position].awaitedParents.isEmpty,
            let transition = states[position].concludeLosses(at: now)
        else { return }
        recordVerdict(transition, at: now, of: position, into: &consequences)
        repace(position, at: now, into: &consequences)
    }

    /// Probes the gateway and some targets on the far side at once.
    private mutating func ask(for position: Int, at now: Duration, into consequences: inout Consequences) {
        guard let watch = sideWatch, watch.askedLast <= now - SideWatch.pause else { return }
        var asked: [Target.ID] = []
        for (id, place) in watch.near where place == .gateway && isAskable(id, watch, at: now) { asked.append(id) }
        asked.sort()
        let room = SideWatch.askedLimit - watch.asked.count
        if room > 0 { asked += witnesses(room, otherThan: position, watch, at: now) }
        sideWatch?.askedLast = now
        guard !asked.isEmpty else { return }
        for id in asked { sideWatch?.asked[id] = now }
        consequences.requests.append(.now(asked))
    }

    /// Some targets whose answers show that the far side can be reached, of other networks than those of the losses if there are
    /// any.
    private mutating func witnesses(
        _ limit: Int,
        otherThan position: Int,
        _ watch: SideWatch,
        at now: Duration
    ) -> [Target.ID] {
        var networks = Set(watch.losses.values.lazy.filter(\.isWitness).prefix(64).map(\.network))
        let candidates =
            watch.trusted.isEmpty
            ? (1..<max(2, min(states.count, 512))).map { states[(position + $0) % states.count].id }
            : watch.trusted.sorted()
        var (chosen, others): ([Target.ID], [Target.ID]) = ([], [])
        for id in candidates where chosen.count < limit && id != states[position].id {
            guard watch.losses[id] == nil, isAskable(id, watch, at: now), let other = positions[id] else { continue }
            guard watch.trusted.isEmpty else {
                chosen.append(id)
                continue
            }
            guard case .farSide(let network) = place(of: other) else { continue }
            if networks.insert(network).inserted { chosen.append(id) } else { others.append(id) }
        }
        return chosen + others.prefix(limit - chosen.count)
    }

    private func isAskable(_ id: Target.ID, _ watch: SideWatch, at now: Duration) -> Bool {
        guard let state = self[id], state.isProbed, state.health != .down, state.fault == nil,
            state.target.question.method.probes
        else { return false }
        return watch.asked[id].map { now - $0 >= SideWatch.answerTime } ?? true
    }

    /// Gives the verdicts that wait, or blocks the targets beyond an interruption, as soon as enough is known.
    mutating func examineSides(at now: Duration, isForced: Bool = false, into consequences: inout Consequences) {
        guard let examined = sideWatch?.examined, sideWatch?.outage != nil || sideWatch?.held.isEmpty == false else {
            return
        }
        guard isForced || examined <= now - SideWatch.pause else {
            sideWatch?.examination = examined + SideWatch.pause
            return
        }
        guard let watch = sideWatch else { return }
        sideWatch?.examined = now
        sideWatch?.examination = nil
        for (id, held) in watch.held.sorted(by: { $0.key < $1.key }) {
            guard let position = positions[id] else { continue }
            let isBehind = place(of: position) == .behindGateway
            if watch.isOwnLoss(held, isBehindGateway: isBehind) {
                giveVerdict(on: id, at: now, into: &consequences)
            } else if watch.answered >= held.acquitted, watch.isSuspected(held), watch.asked[id] == nil {
                // Its losses may be those of an interruption that is over.
                sideWatch?.asked[id] = now
                consequences.requests.append(.now([id]))
            }
        }
        if watch.outage != nil {
            // Those that wait are not beyond it.
            for (id, held) in watch.held.sorted(by: { $0.key < $1.key }) where now - held.since >= SideWatch.patience {
                giveVerdict(on: id, at: now, into: &consequences)
            }
            return examineOutage(at: now, into: &consequences)
        }
        if let acquitted = sideWatch?.acquitted, watch.askedLast < acquitted,
            let position = watch.held.keys.min().flatMap({ positions[$0] })
        {
            ask(for: position, at: now, into: &consequences)
        }
        decideSides(at: now, into: &consequences)
    }

    private mutating func decideSides(at now: Duration, into consequences: inout Consequences) {
        guard let watch = sideWatch, !watch.held.isEmpty else { return }
        let evidence = sideEvidence(at: now)
        let verdict = evidence.verdict
        let isOverdue = watch.held.values.contains { now - $0.since >= SideWatch.patience }
        let awaitsAnswers = watch.asked.contains { id, time in
            now - time < SideWatch.answerTime && !watch.losses.keys.contains(id)
        }
        // A route may be missing to some targets only.
        let isLocal = verdict.sides == Sides(.thisMachine) && verdict.reason != .noRoute
        let mayImprove = verdict.sides.nearest < verdict.sides.farthest && awaitsTrace(watch)
        // Another verdict may have begun to wait since the last targets were probed for it.
        let isAsked = watch.askedLast >= watch.acquitted ?? .zero
        let isFinal = isOverdue || isAsked && !(awaitsAnswers || mayImprove)
        if !isAsked { sideWatch?.examination = max(now, watch.askedLast + SideWatch.pause) }
        if verdict.isOwn, isLocal || isFinal {
            return beginOutage(verdict, at: now, into: &consequences)
        }
        for (id, held) in watch.held.sorted(by: { $0.key < $1.key }) {
            if now - held.since >= SideWatch.patience || isFinal && !watch.isSuspected(held) {
                giveVerdict(on: id, at: now, into: &consequences)
            }
        }
    }

    /// Whether the trace of a target whose verdict waits is not done.
    private func awaitsTrace(_ watch: SideWatch) -> Bool {
        watch.held.keys.prefix(64).contains { id in
            guard let path = self[id]?.path, path.address != nil, let asked = path.asked else { return false }
            return path.newestStarted < asked
        }
    }

    private mutating func examineOutage(at now: Duration, into consequences: inout Consequences) {
        guard let outage = sideWatch?.outage else { return }
        let verdict = sideEvidence(at: now).verdict
        guard verdict.isOwn else {
            let doubted = outage.doubtedSince ?? now
            sideWatch?.outage?.doubtedSince = doubted
            if now - doubted >= SideWatch.patience { endOutage(at: now, after: nil, into: &consequences) }
            return
        }
        sideWatch?.outage?.doubtedSince = nil
        guard verdict != outage.verdict else {
            sideWatch?.outage?.candidate = nil
            return
        }
        guard outage.candidate == verdict else {
            sideWatch?.outage?.candidate = verdict
            return
        }
        var changed = outage
        (changed.verdict, changed.candidate, changed.doubtedSince) = (verdict, nil, nil)
        sideWatch?.set(changed, at: now)
        for position in states.indices where states[position].blockedBy?.isSide == true {
            states[position].set(\.blockedBy, to: .side(verdict.sides))
            remember(position, at: now)
        }
        if outage.verdict.endsAtGateway != verdict.endsAtGateway {
            refreshSides(states.map(\.id), at: now, into: &consequences)
        }
    }

    private mutating func beginOutage(
        _ verdict: SideVerdict,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        guard let watch = sideWatch else { return }
        let first = (watch.losses.values.map(\.sent) + watch.held.values.map(\.sent)).min() ?? now
        sideWatch?.set(SideWatch.Outage(verdict: verdict, since: first), at: now)
        let waiting = watch.held.keys.sorted()
        sideWatch?.held = [:]
        sideWatch?.asked = [:]
        refreshSides(states.map(\.id), at: now, into: &consequences)
        // Targets behind the gateway are not beyond an interruption in the provider's network.
        for id in waiting where self[id]?.blockedBy == nil { giveVerdict(on: id, at: now, into: &consequences) }
    }

    /// Ends the interruption: the targets are unblocked, and judged anew.
    ///
    /// - Parameter id: the target that answered; nil if none did.
    mutating func endOutage(
        at now: Duration,
        after id: Target.ID?,
        into consequences: inout Consequences
    ) {
        sideWatch?.set(nil, at: now)
        sideWatch?.forgetEvidence()
        sideWatch?.restored = now
        sideWatch?.suspectUntil = [.v4: now, .v6: now]
        let blocked = states.filter { $0.blockedBy?.isSide == true }.map(\.id)
        refreshSides(blocked, answering: id, at: now, into: &consequences)
    }

    /// Examines what waits for a deadline.
    mutating func expireSides(at now: Duration, into consequences: inout Consequences) {
        guard let deadline = sideWatch?.deadline, deadline <= now else { return }
        examineSides(at: now, isForced: true, into: &consequences)
    }
}
