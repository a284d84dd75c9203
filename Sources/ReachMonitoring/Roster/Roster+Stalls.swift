extension Roster {
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
        sideWatch?.forgetEvidence()
        timeline?.recordGap(now - max(.zero, gap)..<now)
        // Reports that became stale meanwhile count until the next ones could arrive.
        if vantage.deadline != nil { vantage.deadline = now + Self.reportGrace }
        consequences.report(.stalled(gap), at: now)
    }
}
