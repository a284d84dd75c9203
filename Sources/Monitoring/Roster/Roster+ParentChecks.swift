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
    mutating func releaseVerdicts(
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
        guard let transition = states[position].concludeLosses(at: now) else { return }
        recordVerdict(transition, at: now, of: position, into: &consequences)
        repace(position, at: now, into: &consequences)
    }
}
