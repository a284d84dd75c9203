extension Roster {
    /// How long an outage is probed at `down_interval` by default.
    public static let defaultRecoverySpan = Duration.seconds(600)

    /// Changes the interval of a target if its health or a pending verdict requires it.
    mutating func repace(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        let pace = states[position].pace(at: now, recoverySpan: recoverySpan, halvings: recovery.halvings)
        let before = states[position].pace
        guard pace != before else { return }
        setPace(pace, of: position, into: &consequences)
        guard pace.isRecovery != before.isRecovery else { return }
        let rate = states[position].target.additionalRate
        guard pace.isRecovery else { return recovery.remove(rate) }
        guard recovery.add(rate) else { return }
        // The other targets slow down at once; later, each returns to a faster pace with its next probe.
        for other in states.indices where states[other].pace.isRecovery {
            setPace(.recovery(halvings: recovery.halvings), of: other, into: &consequences)
        }
    }

    /// Resets the pace of a target that is no longer probed.
    mutating func forgetPace(of position: Int) {
        if states[position].pace.isRecovery { recovery.remove(states[position].target.additionalRate) }
        states[position].pace = .usual
    }

    /// Recounts the probes that are added for targets that are down.
    mutating func recountRecovery() {
        recovery = RecoveryBudget()
        for position in states.indices where states[position].pace.isRecovery {
            _ = recovery.add(states[position].target.additionalRate)
        }
    }

    private mutating func setPace(_ pace: ProbePace, of position: Int, into consequences: inout Consequences) {
        states[position].pace = pace
        let target = states[position].target
        consequences.requests.append(
            .pace(states[position].id, interval: target.interval(at: pace), isUrgent: pace.isRecovery)
        )
    }
}

extension TargetState {
    /// The pace for the target's present state.
    fileprivate func pace(at now: Duration, recoverySpan: Duration?, halvings: UInt8) -> ProbePace {
        guard target.question.method.probes else { return .usual }
        // A pause or a block ends with quick probes again.
        let isRecent = recoverySpan.map { now < max(judge.since, probedSince) + $0 } ?? true
        let isDown = health == .down && isProbed && isRecent
        guard isDown || target.retriesSooner else { return .usual }
        let isPending = pending != nil
        if isDown, !isPending || target.recoveryInterval <= target.retryInterval {
            return .recovery(halvings: halvings)
        }
        return isPending && target.retriesSooner ? .retry : isDown ? .recovery(halvings: halvings) : .usual
    }
}
