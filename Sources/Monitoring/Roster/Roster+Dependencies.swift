extension Roster {
    /// Takes in whether something leads out of this machine.
    mutating func recordLink(isUp: Bool, at now: Duration, into consequences: inout Consequences) {
        guard hasWayOut != isUp else { return }
        hasWayOut = isUp
        refresh(dependencies.dependentsOfLink, at: now, into: &consequences)
    }

    /// Blocks and frees what depends on these targets, which have gone down, or are down no longer.
    mutating func follow(from changed: [Target.ID], at now: Duration, into consequences: inout Consequences) {
        refresh(dependencies.dependents(of: changed), at: now, into: &consequences)
    }

    /// Takes over the dependencies of new settings.
    ///
    /// - Returns: the targets that are asked now and were blocked before.
    mutating func rebuildDependencies(at now: Duration, into consequences: inout Consequences) -> Set<Target.ID> {
        dependencies = DependencyGraph(standings)
        let blocked = standings.indices.filter { standings[$0].blockedBy != nil }.map { standings[$0].id }
        let dependents = dependencies.dependents
        let known = Set(dependents)
        let freed = refresh(blocked.filter { !known.contains($0) } + dependents, at: now, into: &consequences)
        for position in standings.indices where !standings[position].awaited.isEmpty {
            standings[position].awaited.formIntersection(dependencies.parents(of: standings[position].id))
            concludeUnlessAwaited(position, at: now, into: &consequences)
        }
        return freed
    }

    /// Finds out anew who is blocked, of targets in an order that has parents before their children.
    ///
    /// - Returns: those that are asked now and were blocked before.
    @discardableResult
    private mutating func refresh(
        _ ids: [Target.ID],
        at now: Duration,
        into consequences: inout Consequences
    ) -> Set<Target.ID> {
        var forgotten: [Target.ID] = []
        var blocked: [(blocker: Blocker, ids: [Target.ID])] = []
        var (freed, told): ([Target.ID], [Target.ID]) = ([], [])
        for case let position? in ids.map({ positions[$0] }) {
            let before = standings[position]
            let blocker = blocker(of: before.id)
            guard blocker != before.blockedBy else { continue }
            if before.isAsked { forgotten.append(before.id) }
            if blocker == nil, before.isBlocked { told.append(before.id) }
            if blocker != nil { forgetPace(of: position) }
            standings[position].setBlocker(blocker, at: now)
            if standings[position].isAsked { freed.append(before.id) }
            guard let blocker, standings[position].isBlocked else { continue }
            if let index = blocked.firstIndex(where: { $0.blocker == blocker }) {
                blocked[index].ids.append(before.id)
            } else {
                blocked.append((blocker, [before.id]))
            }
        }
        if !forgotten.isEmpty { consequences.requests.append(.forget(forgotten)) }
        consequences.events += blocked.map { .blocked($0.ids, by: $0.blocker, at: now) }
        if !told.isEmpty { consequences.events.append(.unblocked(told, at: now)) }
        ask(freed.compactMap { assignment(of: $0) }, into: &consequences)
        return Set(freed)
    }

    /// What a target is to be blocked by: the first of its dependencies that is down by itself, or what blocks that.
    /// One that is paused is passed through.
    private func blocker(of id: Target.ID) -> Blocker? {
        for parent in dependencies.parents(of: id) {
            switch parent {
            case .link:
                if hasWayOut == false { return .link }
            case .rows(let rows):
                let blockers = rows.map { row -> Blocker? in
                    guard let standing = self[row] else { return nil }
                    let isDown = !standing.isPaused && standing.health == .down
                    return isDown ? .target(standing.target.label) : standing.blockedBy
                }
                if let first = blockers.first, blockers.allSatisfy({ $0 != nil }) { return first }
            }
        }
        return nil
    }

    /// What the prober is to know of a target; nil for one that is not to be asked.
    func assignment(of id: Target.ID) -> ProbeRequest.Assignment? {
        guard let standing = self[id], standing.isAsked else { return nil }
        return ProbeRequest.Assignment(id: id, target: standing.sharedTarget)
    }

    /// Has targets asked again, at once.
    func ask(_ assignments: [ProbeRequest.Assignment], into consequences: inout Consequences) {
        guard !assignments.isEmpty else { return }
        consequences.requests += [.watch(assignments), .now(assignments.map(\.id))]
    }
}

extension Standing {
    fileprivate mutating func setBlocker(_ blocker: Blocker?, at now: Duration) {
        if blockedBy == nil {
            count(until: now)
            blockedSince = now
            leaveAlone()
        }
        let wasBlocked = isBlocked
        blockedBy = blocker
        if wasBlocked, !isBlocked { countedSince = now }
        if isAsked { askedSince = now }
    }

    /// Forgets what belongs to being asked.
    mutating func leaveAlone() {
        judge.forgetStreak()
        faultCount = 0
        toldSession = nil
        awaited = []
        isDoubted = false
    }
}
