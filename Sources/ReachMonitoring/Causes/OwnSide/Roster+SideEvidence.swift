/// The evidence about the way to the far side.
extension Roster {
    mutating func sideEvidence(at now: Duration) -> SideEvidence {
        guard let watch = sideWatch else { return SideEvidence() }
        var evidence = SideEvidence()
        let since = watch.held.values.map(\.sent).max() ?? watch.outage?.since ?? watch.firstLoss ?? .zero
        evidence.hasUplink = watch.needsUplink ? hasUplink : nil
        evidence.lacksRoute = !watch.losses.isEmpty && watch.losses.values.allSatisfy(\.isUnroutable)
        evidence.hasAnswer = watch.outage == nil && watch.answered >= watch.acquitted ?? .zero
        evidence.isQuorumLost = isQuorumLost(watch, at: now)
        for (id, place) in watch.near {
            guard let state = self[id], !state.isPaused, state.blockedBy == nil else { continue }
            switch place {
            case .thisMachine where state.health == .down && state.target.isWayOut:
                evidence.downRoute = evidence.downRoute.map { min($0, state.target.label) } ?? state.target.label
            // The gateway is on a link of this machine.
            case .gateway where state.isLosing && state.failure?.mayBeLocal == true: evidence.lacksRoute = true
            case .gateway:
                evidence.gateway = evidence.gateway.joined(by: state.peer(since: since, answered: watch.answered))
            case .neighbour:
                evidence.neighbours = evidence.neighbours.joined(by: state.peer(since: since, answered: watch.answered))
            default: break
            }
        }
        if watch.answeredBehindGateway >= since { evidence.gateway = .answers(nil) }
        if let newest = watch.traces.map(\.started).max() {
            let recent = watch.traces.filter { newest - $0.started <= SideWatch.patience }.map(\.reach)
            evidence.reach = recent.dropFirst().reduce(recent.first) { farthest, reach in
                farthest.map { reach.isFarther(than: $0) ? reach : $0 } ?? reach
            }
        }
        evidence.hasInnerRouters = pathFacts(at: now).hasInnerRouters
        return evidence
    }

    /// Whether no target on the far side answers: of at least two networks, or none of those whose answers count.
    private func isQuorumLost(_ watch: SideWatch, at now: Duration) -> Bool {
        let silent = watch.asked.filter { now - $0.value >= SideWatch.answerTime && watch.near[$0.key] == nil }.keys
        guard !watch.trusted.isEmpty else {
            var networks = Set(watch.lostNetworks.keys)
            for id in silent {
                if case .farSide(let network)? = watch.places[id]?.place { networks.insert(network) }
            }
            return networks.count > 1
        }
        let judged = watch.trusted.filter { id in
            self[id].map { !$0.isPaused && $0.health != .down && !$0.isInMaintenance } ?? false
        }
        guard !judged.isEmpty, judged.allSatisfy({ watch.losses[$0] != nil || silent.contains($0) }) else {
            return false
        }
        // Most others answer: then the trusted targets have failed.
        let others = watch.losses.values.count { !$0.isWitness }
        return watch.answeringOthers.isEmpty || watch.answeringOthers.count <= others
    }

    /// What the known paths have in common; at most a second old.
    mutating func pathFacts(at now: Duration) -> SideWatch.PathFacts {
        if let facts = sideWatch?.pathFacts, facts.time + .seconds(1) > now, facts.time <= now { return facts }
        var paths: [NetworkKey: [String?]] = [:]
        let step = max(1, states.count / 256)
        for position in stride(from: 0, to: states.count, by: step) {
            guard let hops = states[position].path?.hopsToTarget, !hops.isEmpty,
                case .farSide(let network) = place(of: position), paths[network] == nil
            else { continue }
            paths[network] = hops
        }
        let hopSides = HopSides(
            systems: settings.paths.systems,
            shared: HopSides.shared(by: Array(paths.values)),
            own: settings.sides.addresses
        )
        let facts = SideWatch.PathFacts(
            time: now,
            hopSides: hopSides,
            hasInnerRouters: paths.values.contains { hopSides.sides(of: $0).count { $0 == .network } > 1 }
        )
        sideWatch?.pathFacts = facts
        return facts
    }
}

extension SideEvidence.Peer {
    /// What several hosts say together: one that answers is enough.
    fileprivate func joined(by other: Self) -> Self {
        switch (self, other) {
        case (.answers, _), (_, .unknown): self
        case (_, .answers), (.unknown, _): other
        case (.silent(let one), .silent(let other)): .silent([one, other].compactMap(\.self).min())
        }
    }
}

extension TargetState {
    /// What the target says about its host.
    ///
    /// - Parameters:
    ///   - time: the earliest probe whose answer counts.
    ///   - answered: when the newest probe was sent that a target on the far side answered. A host that did not answer then
    ///     either says nothing.
    fileprivate func peer(since time: Duration, answered: Duration) -> SideEvidence.Peer {
        let host = address ?? target.question.host
        let hasFailed = { (start: Duration) in answered < .zero || start + .seconds(2) >= answered }
        if health == .down {
            switch arrival {
            case .lost: return hasFailed(judge.since) ? .silent(host) : .unknown
            case .refuses, nil: return .unknown
            case .answers: return .answers(host)
            }
        }
        if case .losses(let count, _) = judge.streak {
            let isSilent = count > 1 && judge.hasReplied(since: .zero) && hasFailed(judge.losingSince)
            return isSilent ? .silent(host) : .unknown
        }
        return judge.hasReplied(since: time) ? .answers(host) : .unknown
    }
}
