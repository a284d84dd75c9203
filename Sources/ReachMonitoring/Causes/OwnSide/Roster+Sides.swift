/// What outcomes and traces say about the way to the far side.
extension Roster {
    /// Follows what an outcome says about the way to the far side, before the target is judged.
    ///
    /// - Returns: whether the target is judged by it. The losses of a target that is blocked, since the way is interrupted,
    ///   are ignored.
    mutating func followSides(
        _ observation: Observation,
        at position: Int,
        into consequences: inout Consequences
    ) -> Bool {
        guard sideWatch != nil else { return true }
        let id = observation.target
        let isTrusted = sideWatch?.trusted.contains(id) ?? false
        let place = place(of: position)
        let now = observation.time
        sideWatch?.asked[id] = nil
        switch (place, observation.outcome.arrival) {
        case (.elsewhere, _) where !isTrusted, (_, nil):
            return true
        case (_, .answers?) where isTrusted:
            // Something on the way may give another answer.
            guard observation.outcome.isReply else { return true }
            recordAnswer(of: position, sent: observation.sent, at: now, into: &consequences)
            return true
        case (.farSide, .answers?):
            recordAnswer(of: position, sent: observation.sent, at: now, into: &consequences)
            return true
        case (.behindGateway, .answers?):
            sideWatch?.held[id] = nil
            let answered = sideWatch?.answeredBehindGateway ?? .zero
            sideWatch?.answeredBehindGateway = max(answered, observation.sent)
            if sideWatch?.isQuiet == false {
                unblockAnswering(position, at: now, into: &consequences)
                examineSides(at: now, into: &consequences)
            }
            return true
        case (.thisMachine, _), (.gateway, _), (.neighbour, _), (.elsewhere, _):
            if case .lost? = observation.outcome.arrival, isTrusted { recordLoss(observation, of: position, place) }
            return true
        case (_, .refuses?):
            sideWatch?.held[id] = nil
            if states[position].blockedBy?.isSide == true {
                unblockAnswering(position, at: now, into: &consequences)
            }
            return true
        case (_, .lost?):
            guard observation.sent >= sideWatch?.restored ?? .zero else { return false }
            recordLoss(observation, of: position, place)
            guard states[position].blockedBy?.isSide == true else { return true }
            examineSides(at: now, into: &consequences)
            return states[position].blockedBy?.isSide != true
        }
    }

    /// Examines the sides after an outcome of a host of the own network was recorded.
    mutating func followNear(_ observation: Observation, at position: Int, into consequences: inout Consequences) {
        guard let watch = sideWatch, !watch.isQuiet else { return }
        switch place(of: position) {
        case .thisMachine, .gateway, .neighbour: break
        case .elsewhere, .behindGateway, .farSide: return
        }
        if !watch.held.isEmpty, states[position].judge.isFirstLoss {
            consequences.requests.append(.now([observation.target]))
        }
        examineSides(at: observation.time, into: &consequences)
    }

    private mutating func recordLoss(_ observation: Observation, of position: Int, _ place: SideWatch.Place) {
        let state = states[position]
        guard state.health != .down, !state.isInMaintenance else { return }
        let host = state.address ?? state.target.question.host ?? state.target.name
        let network: NetworkKey = if case .farSide(let key) = place { key } else { NetworkKey(host, systems: nil) }
        let loss = SideWatch.Loss(
            sent: observation.sent,
            network: network,
            family: state.probedFamily,
            isUnroutable: observation.isUnroutable(by: state.target.question.method),
            isWitness: sideWatch?.isWitness(state.id) ?? false
        )
        sideWatch?.recordLoss(loss, of: state.id)
    }

    private mutating func recordAnswer(
        of position: Int,
        sent: Duration,
        isTrace: Bool = false,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        if hasUplink == false, sent >= sideWatch?.linkChanged ?? .zero { sideWatch?.needsUplink = false }
        guard let isQuiet = sideWatch?.isQuiet, let answered = sideWatch?.answered else { return }
        let id = states[position].id
        let isWitness = sideWatch?.isWitness(id) ?? false
        if isQuiet {
            if isWitness { sideWatch?.answered = max(answered, sent) }
            return
        }
        sideWatch?.held[id] = nil
        guard isWitness else {
            sideWatch?.removeLoss(of: id)
            sideWatch?.answeringOthers.insert(id)
            unblockAnswering(position, at: now, into: &consequences)
            return examineSides(at: now, into: &consequences)
        }
        // The probes of a trace that was answered were sent at any time since its start.
        let restored = isTrace ? now : sent
        sideWatch?.recordAnswer(sent: sent, by: states[position].probedFamily, restored: restored)
        sideWatch?.removeLoss(of: id)
        if sideWatch?.outage != nil {
            endOutage(at: now, after: id, into: &consequences)
        } else {
            examineSides(at: now, isForced: true, into: &consequences)
        }
    }

    /// Unblocks one target that answers during an interruption.
    private mutating func unblockAnswering(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        guard sideWatch?.outage != nil, states[position].blockedBy?.isSide == true else { return }
        let id = states[position].id
        sideWatch?.outage?.answering.insert(id)
        refreshSides([id], at: now, into: &consequences)
    }

    /// Records how far a trace came.
    mutating func followTrace(
        _ path: TracedPath,
        started: Duration,
        of position: Int,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        guard let watch = sideWatch else { return }
        sideWatch?.places[states[position].id] = nil
        if let first = path.hops.first ?? nil, path.hops.count > 1, !watch.firstHops.contains(first),
            watch.firstHops.count < 16
        {
            sideWatch?.firstHops.insert(first)
            sideWatch?.revision += 1
        }
        guard !watch.isQuiet, case .farSide = place(of: position), started >= watch.firstLoss ?? .zero else { return }
        if path.end.isReached {
            return recordAnswer(of: position, sent: started, isTrace: true, at: now, into: &consequences)
        }
        if let reach = TraceReach(path, pathFacts(at: now).hopSides) {
            sideWatch?.traces.append(SideWatch.Trace(started: started, reach: reach))
            if watch.traces.count >= 16 { sideWatch?.traces.removeFirst() }
        }
        examineSides(at: now, into: &consequences)
    }

    /// Follows a change of the uplink.
    mutating func followLink(at now: Duration, into consequences: inout Consequences) {
        guard sideWatch != nil else { return }
        sideWatch?.linkChanged = now
        sideWatch?.needsUplink = true
        examineSides(at: now, isForced: true, into: &consequences)
    }
}

extension Roster {
    /// The blocker of a target beyond an interruption before the far side.
    func sideBlocker(of id: Target.ID) -> Blocker? {
        guard let outage = sideWatch?.outage, !outage.answering.contains(id) else { return nil }
        guard let place = sideWatch?.places[id]?.place, outage.covers(place) else { return nil }
        return .side(outage.verdict.sides)
    }

    /// Updates which targets an interruption blocks.
    mutating func refreshSides(
        _ ids: [Target.ID],
        answering: Target.ID? = nil,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        for case let position? in ids.map({ positions[$0] }) { _ = place(of: position) }
        refresh(ids, answering: answering, at: now, into: &consequences)
        for case let position? in ids.map({ positions[$0] }) { repace(position, at: now, into: &consequences) }
    }
}

extension SideWatch.Outage {
    /// Whether targets at a place are beyond the interruption.
    func covers(_ place: SideWatch.Place) -> Bool {
        switch place {
        case .farSide: true
        case .behindGateway: verdict.endsAtGateway
        case .elsewhere, .thisMachine, .gateway, .neighbour: false
        }
    }
}
