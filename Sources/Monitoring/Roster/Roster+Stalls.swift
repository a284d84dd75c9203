extension Roster {
    /// Takes in that this program did not run for a while. What was under way is void, and no streak goes on over the
    /// gap: nobody knows what happened in it, and nothing is dated into it.
    mutating func recordStall(of gap: Duration, at now: Duration, into consequences: inout Consequences) {
        for position in standings.indices {
            standings[position].count(until: now - gap)
            standings[position].countedSince = now
            standings[position].judge.forgetStreak()
            standings[position].awaited = []
            standings[position].isDoubted = false
            repace(position, at: now, into: &consequences)
        }
        consequences.events.append(.stalled(gap, at: now))
    }
}
