extension Roster {
    /// Adds samples from before the start of the program to the histories of targets.
    package mutating func restore(_ samples: [Target.ID: History]) {
        for (id, samples) in samples {
            if let position = positions[id] { states[position].history.prepend(samples) }
        }
    }

    /// Lets outages from before the start of the program go on, unless their targets have replied since.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func restore(_ lastSeen: [Target.ID: StoredPast.LastSeen], wall: WallTime, at now: Duration) {
        for (id, last) in lastSeen {
            guard last.health == .down, let since = last.since, let position = positions[id],
                states[position].totals.received == 0
            else { continue }
            // The wall clock may have been set back since.
            states[position].outageStart = min(since - wall.start, .zero)
            remember(position, at: now)
        }
    }

    /// Restores `cooldown` and `once` of hook rules from the runs before the start of the program. A rule is known by
    /// its target, event and action; a rule with another action is another rule.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func restore(_ hooks: [StoredPast.FinishedHook], wall: WallTime, at now: Duration) {
        for hook in hooks {
            guard let position = positions[hook.target] else { continue }
            for rule in states[position].target.hooks {
                guard rule.action == hook.action, rule.events.contains(hook.event) else { continue }
                // The wall clock may have been set back since.
                let time = min(hook.time - wall.start, now)
                states[position].hookTracker.restore(
                    rule,
                    on: hook.event,
                    at: time,
                    isSuccess: hook.isSuccess,
                    now: now
                )
            }
        }
    }
}
