extension Roster {
    /// Takes a finished probe into account, and the change of health that it brought about.
    ///
    /// While a target flaps, its hooks wait. When it ceases to, they are told once what they do not know yet. Where the
    /// settings know no flapping, each change is told.
    mutating func recordVerdict(
        _ transition: Transition?,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let mayFlap = standings[position].target.mayFlap
        let isChange = transition.map { $0.from != .unknown && $0.to != .unknown } ?? false
        let change = mayFlap ? standings[position].recordVerdict(isChange: isChange, at: time) : nil
        if change == true {
            standings[position].healthTold = transition?.from ?? standings[position].health
        }
        if let transition { take(transition, of: position, isTold: change != false, into: &consequences) }
        if let change { tellFlapping(change, at: time, of: position, into: &consequences) }
    }

    /// Ends the flapping of targets that the settings no longer have flap: hooks wait no longer.
    mutating func endFlapping(at now: Duration, into consequences: inout Consequences) {
        for position in standings.indices where !standings[position].target.mayFlap {
            let wasFlapping = standings[position].isFlapping
            standings[position].flapping = nil
            if wasFlapping { tellFlapping(false, at: now, of: position, into: &consequences) }
        }
    }

    private mutating func tellFlapping(
        _ isFlapping: Bool,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let share = standings[position].flapping?.share ?? 0
        consequences.events.append(
            .flapping(standings[position].id, isFlapping: isFlapping, share: share, at: time)
        )
        let trigger = Occasion.Trigger.flapping(isFlapping: isFlapping, share: share)
        fireHooks(of: position, on: .flapping, by: trigger, at: time, into: &consequences)
        if !isFlapping { tellWithheld(position, into: &consequences) }
    }

    private mutating func tellWithheld(_ position: Int, into consequences: inout Consequences) {
        let (last, told) = (standings[position].withheld, standings[position].healthTold)
        standings[position].withheld = nil
        if let last, standings[position].rare != nil {
            standings[position].hookBook.oweTakenBack(last)
            noteOwed(position)
        }
        guard let last, last.to != told else { return }
        let transition = Transition(
            from: told,
            to: last.to,
            time: last.time,
            began: last.began,
            lasted: last.lasted,
            cause: last.cause
        )
        fireHooks(of: position, on: transition, into: &consequences)
    }
}
