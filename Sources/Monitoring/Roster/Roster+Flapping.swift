extension Roster {
    /// Counts the verdict on a finished probe toward flapping, and applies its transition.
    ///
    /// While a target flaps, its rules wait, except those that run while it flaps. When it is steady, each of them
    /// reports what has changed since its last report. If the settings disable flapping detection, none waits.
    mutating func recordVerdict(
        _ transition: Transition?,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let change =
            states[position].target.mayFlap ? states[position].recordVerdict(transition, at: time) : nil
        if let transition { apply(transition, of: position, into: &consequences) }
        if let change { reportFlapping(change, at: time, of: position, into: &consequences) }
        endAcknowledgementIfUp(position, at: time, into: &consequences)
    }

    /// Ends the flapping of targets whose settings disable its detection, so that their hooks no longer wait.
    mutating func endFlapping(at now: Duration, into consequences: inout Consequences) {
        for position in states.indices where !states[position].target.mayFlap {
            let wasFlapping = states[position].isFlapping
            states[position].flapping = nil
            guard wasFlapping else { continue }
            reportFlapping(false, at: now, of: position, into: &consequences)
            endAcknowledgementIfUp(position, at: now, into: &consequences)
        }
    }

    private mutating func reportFlapping(
        _ isFlapping: Bool,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let share = states[position].flapping?.share ?? 0
        remember(position, at: time)
        consequences.events.append(
            .flapping(states[position].id, isFlapping: isFlapping, share: share, at: time)
        )
        fireFlappingHooks(of: position, share: share, at: time, into: &consequences)
        if !isFlapping { reportDeferred(position, at: time, into: &consequences) }
    }
}
