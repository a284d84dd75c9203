extension Roster {
    /// Counts the verdict on a finished probe toward flapping, and applies its transition.
    ///
    /// While a target flaps, its hooks wait. When it stops, the hooks run once for the change since their last report.
    /// If the settings disable flapping detection, each change is reported.
    mutating func recordVerdict(
        _ transition: Transition?,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let mayFlap = states[position].target.mayFlap
        let isChange = transition.map { $0.from != .unknown && $0.to != .unknown } ?? false
        let change = mayFlap ? states[position].recordVerdict(isChange: isChange, at: time) : nil
        if change == true, !states[position].isInMaintenance {
            states[position].reportedHealth = transition?.from ?? states[position].health
        }
        if let transition { apply(transition, of: position, isReported: change != false, into: &consequences) }
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
        let trigger = HookContext.Trigger.flapping(isFlapping: isFlapping, share: share)
        fireHooks(of: position, on: .flapping, by: trigger, at: time, into: &consequences)
        if !isFlapping { reportWithheld(position, at: time, into: &consequences) }
    }

    /// Fires the hooks once for the change since their last report, unless they still wait.
    mutating func reportWithheld(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        guard !states[position].withholdsHooks else { return }
        let (last, reported) = (states[position].withheldTransition, states[position].reportedHealth)
        (states[position].withheldTransition, states[position].reportedHealth) = (nil, .unknown)
        if let last, states[position].rare != nil {
            states[position].hookTracker.deferRevoked(last)
            updateDeferringTargets(position)
        }
        guard let last, last.to != reported || last.from == last.to else { return }
        let transition = Transition(
            from: reported,
            to: last.to,
            time: last.time,
            began: last.began,
            lasted: last.lasted,
            cause: last.cause
        )
        fireHooks(of: position, on: transition, at: now, into: &consequences)
    }
}
