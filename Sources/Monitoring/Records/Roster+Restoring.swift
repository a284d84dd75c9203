extension Roster {
    /// Adds samples from before the start of the program to the histories of targets.
    package mutating func restore(_ samples: [Target.ID: [Sample]]) {
        for (id, samples) in samples {
            if let position = positions[id] { states[position].history.prepend(samples) }
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
