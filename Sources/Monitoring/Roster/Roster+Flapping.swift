extension Roster {
    /// Takes a finished probe into account, and the change of health that it brought about.
    ///
    /// While a target flaps, its hooks wait. When it ceases to, they are told once what they do not know yet.
    mutating func recordVerdict(
        _ transition: Transition?,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let change = standings[position].flapping.record(standings[position].health)
        if change == true {
            standings[position].healthTold = transition?.from ?? standings[position].health
        }
        if let transition { take(transition, of: position, isTold: change != false, into: &consequences) }
        guard let change else { return }
        consequences.events.append(.flapping(standings[position].id, isFlapping: change, at: time))
        fireHooks(of: position, on: .flapping, by: .flapping(isFlapping: change), at: time, into: &consequences)
        if !change { tellWithheld(position, into: &consequences) }
    }

    private mutating func tellWithheld(_ position: Int, into consequences: inout Consequences) {
        let (last, told) = (standings[position].withheld, standings[position].healthTold)
        standings[position].withheld = nil
        guard let last, last.to != told else { return }
        let transition = Transition(from: told, to: last.to, time: last.time, lasted: last.lasted, cause: last.cause)
        fireHooks(of: position, on: transition, into: &consequences)
    }
}
