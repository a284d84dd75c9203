// Findings that are no outcome of a probe, and what is cheap to ask after findings.
extension Roster {
    /// Whether a change of the target's health is pending. Cheaper than reading its ``TargetState``.
    public func isPending(_ id: Target.ID) -> Bool {
        guard let position = positions[id] else { return false }
        return states[position].pending != nil
    }

    /// The newest sample of a target; nil if it has none. Cheaper than reading its ``TargetState``.
    public func lastSample(of id: Target.ID) -> Sample? {
        positions[id].flatMap { states[$0].history.last }
    }

    /// Records a state of the session. Another attempt between two equal failures is not reported.
    mutating func record(
        _ state: SessionState,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        if states[position].session != state {
            states[position].set(\.sessionSince, to: time)
            states[position].set(\.session, to: state)
            remember(position, at: time)
        }
        switch state {
        case .setup, .preparing, .cancelled:
            break
        case .ready, .waiting, .failed:
            guard states[position].isProbed, states[position].reportedSession != state else { return }
            states[position].reportedSession = state
            consequences.report(.session(state), of: [states[position].id], at: time)
        }
    }

    /// The time for the next reports after the program did not run.
    private static let reportGrace = Duration.seconds(15)

    /// Records that this program did not run for a while. Probes in flight are void, and every streak ends. No event is
    /// dated into the gap, since the state of the targets in it is unknown.
    mutating func recordStall(of gap: Duration, at now: Duration, into consequences: inout Consequences) {
        for position in states.indices {
            states[position].count(until: now - gap)
            states[position].countedSince = now
            states[position].judge.forgetStreak()
            states[position].awaitedParents = []
            states[position].isRecheckPending = false
            remember(position, at: now)
            repace(position, at: now, into: &consequences)
        }
        interruptShifts(of: states.map(\.id))
        sideWatch?.forgetEvidence()
        timeline?.recordGap(now - max(.zero, gap)..<now)
        // Reports that became stale meanwhile count until the next ones could arrive.
        if vantage.deadline != nil { vantage.deadline = now + Self.reportGrace }
        consequences.report(.stalled(gap), at: now)
    }
}
