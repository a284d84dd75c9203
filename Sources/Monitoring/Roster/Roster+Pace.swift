extension Roster {
    /// How long a target that is down is probed at its `down_interval`.
    static let recoverySpan = Duration.seconds(600)

    /// Changes how often a target is probed, where its health or a pending verdict asks for it.
    mutating func repace(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        let pace = standings[position].pace(at: now, halvings: recovery.halvings)
        let before = standings[position].pace
        guard pace != before else { return }
        setPace(pace, of: position, into: &consequences)
        guard pace.isRecovery != before.isRecovery else { return }
        let rate = standings[position].target.additionalRate
        guard pace.isRecovery else { return recovery.remove(rate) }
        guard recovery.add(rate) else { return }
        // The others are slowed down at once; later, each returns to a faster pace with its next probe.
        for other in standings.indices where standings[other].pace.isRecovery {
            setPace(.recovery(halvings: recovery.halvings), of: other, into: &consequences)
        }
    }

    /// Returns a target that is no longer probed to the usual pace.
    mutating func forgetPace(of position: Int) {
        if standings[position].pace.isRecovery { recovery.remove(standings[position].target.additionalRate) }
        standings[position].pace = .usual
    }

    /// Counts anew which targets are probed for their recovery.
    mutating func recountRecovery() {
        recovery = RecoveryBudget()
        for position in standings.indices where standings[position].pace.isRecovery {
            _ = recovery.add(standings[position].target.additionalRate)
        }
    }

    private mutating func setPace(_ pace: ProbePace, of position: Int, into consequences: inout Consequences) {
        standings[position].pace = pace
        let target = standings[position].target
        consequences.requests.append(
            .pace(standings[position].id, interval: target.interval(at: pace), isUrgent: pace.isRecovery)
        )
    }
}

extension Standing {
    /// How often the target is to be probed now.
    fileprivate func pace(at now: Duration, halvings: UInt8) -> ProbePace {
        let isDown = health == .down && isAsked && now < judge.since + Roster.recoverySpan
        guard isDown || target.retriesSooner else { return .usual }
        let isPending = pending != nil
        if isDown, !isPending || target.recoveryInterval <= target.retryInterval {
            return .recovery(halvings: halvings)
        }
        return isPending && target.retriesSooner ? .retry : isDown ? .recovery(halvings: halvings) : .usual
    }
}
