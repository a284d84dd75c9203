extension Roster {
    /// Records whether this machine has an uplink.
    mutating func recordLink(isUp: Bool, at now: Duration, into consequences: inout Consequences) {
        guard hasUplink != isUp else { return }
        hasUplink = isUp
        refresh(dependencies.dependentsOfLink, at: now, into: &consequences)
        followLink(at: now, into: &consequences)
    }

    /// Updates which dependents of these targets are blocked, after the targets went down or recovered.
    mutating func updateDependents(of changed: [Target.ID], at now: Duration, into consequences: inout Consequences) {
        refresh(dependencies.dependents(of: changed), at: now, into: &consequences)
    }

    /// Rebuilds the graph of dependencies after a change of the settings.
    ///
    /// - Returns: the targets that were blocked and are probed now.
    mutating func rebuildDependencies(at now: Duration, into consequences: inout Consequences) -> Set<Target.ID> {
        dependencies = DependencyGraph(states)
        let blocked = states.indices.filter { states[$0].blockedBy != nil }.map { states[$0].id }
        let dependents = dependencies.dependents
        let known = Set(dependents)
        let freed = refresh(blocked.filter { !known.contains($0) } + dependents, at: now, into: &consequences)
        for position in states.indices where !states[position].awaitedParents.isEmpty {
            states[position].awaitedParents.formIntersection(dependencies.parents(of: states[position].id))
            concludeUnlessWaiting(position, at: now, into: &consequences)
        }
        return freed
    }

    /// Updates which of these targets are blocked. Parents must come before their children.
    ///
    /// - Parameter answering: a target that has just answered, and is not probed at once.
    /// - Returns: the targets that were blocked and are probed now.
    @discardableResult
    mutating func refresh(
        _ ids: [Target.ID],
        answering: Target.ID? = nil,
        at now: Duration,
        into consequences: inout Consequences
    ) -> Set<Target.ID> {
        var forgotten: [Target.ID] = []
        var (freed, changed, unblocked): ([Target.ID], [Target.ID], [Target.ID]) = ([], [], [])
        var hurried: [Target.ID] = []
        for case let position? in ids.map({ positions[$0] }) {
            let before = states[position]
            let blocker = blocker(of: before.id)
            guard blocker != before.blockedBy else { continue }
            if blocker == nil, before.isBlocked { unblocked.append(before.id) }
            if blocker != nil { forgetPace(of: position) }
            states[position].setBlocker(blocker, at: now)
            remember(position, at: now)
            switch (before.isProbed, states[position].isProbed) {
            case (true, false): forgotten.append(before.id)
            case (false, true): freed.append(before.id)
            case (true, true) where blocker == nil && before.id != answering: hurried.append(before.id)
            default: break
            }
            changed.append(before.id)
        }
        if !forgotten.isEmpty { consequences.requests.append(.forget(forgotten)) }
        interruptShifts(of: changed)
        reportBlocks(of: changed, at: now, into: &consequences)
        if !unblocked.isEmpty { consequences.report(.unblocked, of: unblocked, at: now) }
        requestProbes(freed.compactMap { assignment(of: $0) }, into: &consequences)
        if !hurried.isEmpty { consequences.requests.append(.now(hurried)) }
        judgeVantagePoints(of: freed, at: now, into: &consequences)
        return Set(freed)
    }

    /// Reports those of these targets that are blocked, with one event for each blocker.
    func reportBlocks(of ids: [Target.ID], at now: Duration, into consequences: inout Consequences) {
        var blocked: [(blocker: Blocker, ids: [Target.ID])] = []
        for case let state? in ids.map({ self[$0] }) where state.isBlocked {
            guard let blocker = state.blockedBy else { continue }
            if let index = blocked.firstIndex(where: { $0.blocker == blocker }) {
                blocked[index].ids.append(state.id)
            } else {
                blocked.append((blocker, [state.id]))
            }
        }
        for (blocker, ids) in blocked { consequences.report(.blocked(by: blocker), of: ids, at: now) }
    }

    /// The blocker of a target: the first of its dependencies that is down and not blocked itself, or the blocker of
    /// that one. A paused dependency is skipped.
    private func blocker(of id: Target.ID) -> Blocker? {
        dependencyBlocker(of: id) ?? sideBlocker(of: id)
    }

    private func dependencyBlocker(of id: Target.ID) -> Blocker? {
        for parent in dependencies.parents(of: id) {
            switch parent {
            case .link:
                if hasUplink == false { return .link }
            case .rows(let rows):
                let blockers = rows.map { row -> Blocker? in
                    guard let state = self[row] else { return nil }
                    let isDown = !state.isPaused && state.health == .down
                    return isDown ? .target(state.target.label) : state.blockedBy
                }
                if let first = blockers.first, blockers.allSatisfy({ $0 != nil }) { return first }
            }
        }
        return nil
    }

    /// The assignment of a target; nil for a target that is not probed now, or by others.
    func assignment(of id: Target.ID) -> ProbeRequest.Assignment? {
        guard let state = self[id], state.isProbed, state.target.question.method.probes else { return nil }
        return ProbeRequest.Assignment(id: id, target: state.sharedTarget)
    }

    /// Requests that targets are probed again, at once.
    func requestProbes(_ assignments: [ProbeRequest.Assignment], into consequences: inout Consequences) {
        guard !assignments.isEmpty else { return }
        consequences.requests += [.watch(assignments), .now(assignments.map(\.id))]
    }
}

extension TargetState {
    fileprivate mutating func setBlocker(_ blocker: Blocker?, at now: Duration) {
        if blockedBy == nil {
            count(until: now)
            blockedSince = now
            resetProbing()
        }
        let wasBlocked = isBlocked
        if wasBlocked, blocker == nil, blockedBy?.isSide == true { interruptedSince = blockedSince }
        set(\.blockedBy, to: blocker)
        if wasBlocked, !isBlocked { countedSince = now }
        if isProbed { probedSince = now }
    }

    /// Resets the state that only counts while the target is probed.
    mutating func resetProbing() {
        judge.forgetStreak()
        faultCount = 0
        reportedSession = nil
        awaitedParents = []
        isRecheckPending = false
        vantagePoints?.recordedHealth = nil
    }
}

/// A target and its parents often fail together, and the target may lose its probes first. So its verdict waits until
/// its parents have replied to later probes, or are down themselves. The parents are probed at once when the target
/// begins to lose probes.
extension Roster {
    /// Whether the verdict on a target's losses must wait for a parent.
    func mustWaitForParents(_ position: Int) -> Bool {
        !probedParents(of: position).isEmpty
    }

    /// The parents that this program probes and that have no fault. Their replies show that the losses are the target's
    /// own.
    private func probedParents(of position: Int) -> [DependencyGraph.Parent] {
        dependencies.parents(of: states[position].id).filter { parent in
            guard case .rows(let rows) = parent else { return false }
            return rows.contains {
                self[$0].map { $0.isProbed && $0.fault == nil && $0.target.question.method.probes } ?? false
            }
        }
    }

    /// Requests probes of the parents of a target that lost a probe.
    ///
    /// - Parameter sent: when that probe was sent; only the parents' replies to later probes count.
    mutating func probeParents(of position: Int, sent: Duration, into consequences: inout Consequences) {
        let parents = probedParents(of: position)
        guard !parents.isEmpty else { return }
        let state = states[position]
        guard state.health != .down else { return }
        let isDue = state.judge.isVerdictDue(under: state.target.thresholds)
        guard isDue || state.judge.isFirstLoss else { return }
        if isDue, state.awaitedParents.isEmpty {
            states[position].awaitedParents = Set(parents)
            states[position].parentsAwaitedSince = sent
        }
        var probed: [Target.ID] = []
        for case .rows(let rows) in parents {
            for case let parent? in rows.map({ positions[$0] })
            where states[parent].isProbed && !states[parent].isRecheckPending {
                states[parent].isRecheckPending = true
                probed.append(states[parent].id)
            }
        }
        if !probed.isEmpty { consequences.requests.append(.now(probed)) }
    }

    /// Gives the verdicts that waited for the reply of a target. If its probe was sent too early to count, the target
    /// is probed again at once.
    mutating func concludeVerdicts(
        awaiting id: Target.ID,
        sent: Duration,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        var isTooEarly = false
        for case let child? in dependencies.children(of: id).map({ positions[$0] }) {
            let awaitedParents = states[child].awaitedParents
            let remaining = awaitedParents.filter { parent in
                if case .rows(let rows) = parent { !rows.contains(id) } else { true }
            }
            guard remaining.count < awaitedParents.count else { continue }
            guard states[child].parentsAwaitedSince <= sent else {
                isTooEarly = true
                continue
            }
            states[child].awaitedParents = remaining
            concludeUnlessWaiting(child, at: now, into: &consequences)
        }
        guard isTooEarly, let position = positions[id], states[position].isProbed else { return }
        states[position].isRecheckPending = true
        consequences.requests.append(.now([id]))
    }

    /// Gives the verdict that was held back, unless it still waits for a parent.
    mutating func concludeUnlessWaiting(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        guard states[position].awaitedParents.isEmpty, states[position].isProbed else { return }
        if holdVerdict(on: position, at: now, into: &consequences) { return }
        guard let transition = states[position].concludeLosses(at: now) else { return }
        recordVerdict(transition, at: now, of: position, into: &consequences)
        repace(position, at: now, into: &consequences)
    }
}
