extension Roster {
    /// Pauses targets: they are neither probed nor judged, and no hook fires.
    public mutating func pause(_ ids: [Target.ID], at now: Duration) -> Consequences {
        var consequences = Consequences()
        var (paused, forgotten): ([Target.ID], [Target.ID]) = ([], [])
        for case let position? in ids.map({ positions[$0] }) where !states[position].isPaused {
            let id = states[position].id
            paused.append(id)
            if states[position].isProbed { forgotten.append(id) }
            if states[position].isFlapping {
                let share = states[position].flapping?.share ?? 0
                consequences.report(.flapping(false, share: share), of: [id], at: now)
            }
            states[position].count(until: now)
            // The user knows the state. Only reports that wait for the end of flapping or of maintenance stay.
            dropDeferred(position, at: now)
            endPath(of: position, into: &consequences)
            states[position].set(\.pausedSince, to: now)
            forgetPace(of: position)
            states[position].resetProbing()
            remember(position, at: now)
        }
        if !forgotten.isEmpty { consequences.requests.append(.forget(forgotten)) }
        interruptShifts(of: paused)
        if !paused.isEmpty {
            consequences.report(.paused, of: paused, at: now)
            updateDependents(of: paused, at: now, into: &consequences)
        }
        for id in paused { concludeVerdicts(awaiting: id, sent: now, at: now, into: &consequences) }
        return consequences
    }

    /// Resumes paused targets: they are probed at once. Until the next verdict they have the health from before the pause:
    /// an outage goes on, and hooks fire for what has changed since. A target with a dependency that is down is blocked
    /// instead.
    public mutating func resume(_ ids: [Target.ID], at now: Duration) -> Consequences {
        var consequences = Consequences()
        var resumed: [Target.ID] = []
        for case let position? in ids.map({ positions[$0] }) where states[position].isPaused {
            states[position].set(\.pausedSince, to: nil)
            states[position].blockedSince = now
            states[position].probedSince = now
            states[position].countedSince = now
            states[position].flapping = nil
            remember(position, at: now)
            resumed.append(states[position].id)
        }
        if !resumed.isEmpty { consequences.report(.resumed, of: resumed, at: now) }
        reportBlocks(of: resumed, at: now, into: &consequences)
        requestProbes(resumed.compactMap { assignment(of: $0) }, into: &consequences)
        if !resumed.isEmpty { updateDependents(of: resumed, at: now, into: &consequences) }
        judgeVantagePoints(of: resumed, at: now, into: &consequences)
        return consequences
    }

    /// Resets the statistics and the history of targets; their health stays.
    public mutating func reset(_ ids: [Target.ID], at now: Duration) {
        for case let position? in ids.map({ positions[$0] }) {
            states[position].totals = Totals()
            states[position].countedSince = now
            states[position].history.removeAll()
            remember(position, at: now)
        }
    }
}
