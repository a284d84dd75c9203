/// A target and what it depends on often fail together, and the target's losses may come first. Its verdict waits until
/// its parents have answered since, or are down themselves; they are asked as soon as it begins to lose.
extension Roster {
    /// Whether the losses of a target say nothing before somebody else has answered.
    func needsVouchers(_ position: Int) -> Bool {
        !vouchers(of: position).isEmpty
    }

    /// Of the target's dependencies those whose answers say that its losses are its own.
    private func vouchers(of position: Int) -> [DependencyGraph.Parent] {
        dependencies.parents(of: standings[position].id).filter { parent in
            guard case .rows(let rows) = parent else { return false }
            return rows.contains { self[$0].map { $0.isAsked && $0.fault == nil } ?? false }
        }
    }

    /// Has the parents of a target probed at once that lost a probe.
    ///
    /// - Parameter sent: when that probe was sent; only what the parents answer to later probes counts.
    mutating func doubtParents(of position: Int, sent: Duration, into consequences: inout Consequences) {
        let vouchers = vouchers(of: position)
        guard !vouchers.isEmpty else { return }
        let standing = standings[position]
        guard standing.health != .down else { return }
        let isDue = standing.judge.isVerdictDue(under: standing.target.thresholds)
        guard isDue || standing.judge.isFirstLoss else { return }
        if isDue, standing.awaited.isEmpty {
            standings[position].awaited = Set(vouchers)
            standings[position].awaitedSince = sent
        }
        var asked: [Target.ID] = []
        for case .rows(let rows) in vouchers {
            for case let parent? in rows.map({ positions[$0] })
            where standings[parent].isAsked && !standings[parent].isDoubted {
                standings[parent].isDoubted = true
                asked.append(standings[parent].id)
            }
        }
        if !asked.isEmpty { consequences.requests.append(.now(asked)) }
    }

    /// Gives the verdicts at `now` that waited for the answer of a target. Where its probe was sent too early to say
    /// anything, the target is probed again at once.
    mutating func release(
        _ id: Target.ID,
        sent: Duration,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        var isTooEarly = false
        for case let child? in dependencies.children(of: id).map({ positions[$0] }) {
            let awaited = standings[child].awaited
            let rest = awaited.filter { parent in
                if case .rows(let rows) = parent { !rows.contains(id) } else { true }
            }
            guard rest.count < awaited.count else { continue }
            guard standings[child].awaitedSince <= sent else {
                isTooEarly = true
                continue
            }
            standings[child].awaited = rest
            concludeUnlessAwaited(child, at: now, into: &consequences)
        }
        guard isTooEarly, let position = positions[id], standings[position].isAsked else { return }
        standings[position].isDoubted = true
        consequences.requests.append(.now([id]))
    }

    /// Gives the verdict that was held back, once nobody's answer is missing.
    mutating func concludeUnlessAwaited(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        guard standings[position].awaited.isEmpty, standings[position].isAsked else { return }
        let thresholds = standings[position].target.thresholds
        guard let transition = standings[position].judge.conclude(at: now, under: thresholds) else { return }
        recordVerdict(transition, at: now, of: position, into: &consequences)
        repace(position, at: now, into: &consequences)
    }
}
