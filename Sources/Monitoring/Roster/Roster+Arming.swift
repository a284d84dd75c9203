extension Roster {
    /// Attaches an action to targets, for each to run once when it is reachable: at once if it is.
    ///
    /// - Parameters:
    ///   - ids: the targets; each gets an armed hook of its own.
    ///   - within: how long the hook waits; without end when absent.
    public mutating func arm(
        _ ids: [Target.ID],
        action: HookAction,
        within: Duration? = nil,
        at now: Duration
    ) -> Consequences {
        var consequences = Consequences()
        for case let position? in ids.map({ positions[$0] }) {
            let hook = ArmedHook(id: ArmedHook.ID(nextArmed), action: action, since: now, within: within)
            nextArmed += 1
            let standing = standings[position]
            if standing.health.isReachable, standing.isAsked {
                let occasion = Occasion(.up, by: .user, at: now, of: standing)
                consequences.runs.append(run(hook.rule, armed: hook, of: position, on: occasion))
            } else {
                standings[position].armed.append(hook)
                consequences.events.append(.armed(standing.id, hook))
            }
        }
        return consequences
    }

    /// Takes an armed hook away that has not begun; one that has is not undone.
    public mutating func disarm(_ id: ArmedHook.ID) -> Consequences {
        var consequences = Consequences()
        for position in standings.indices {
            guard let hook = standings[position].armed.first(where: { $0.id == id }) else { continue }
            remove(hook, of: position, because: .disarmed, into: &consequences)
        }
        return consequences
    }

    /// Takes the armed hooks away whose time has run out, and reports what cooldowns held back that have ended.
    public mutating func expire(at now: Duration) -> Consequences {
        var consequences = Consequences()
        if !owing.isEmpty { reportOwed(at: now, into: &consequences) }
        for position in standings.indices where !standings[position].armed.isEmpty {
            expire(of: position, at: now, into: &consequences)
        }
        return consequences
    }

    private mutating func expire(of position: Int, at now: Duration, into consequences: inout Consequences) {
        for hook in standings[position].armed {
            guard let within = hook.within, let deadline = hook.deadline, deadline < now else { continue }
            remove(hook, of: position, because: .expired(within: within), into: &consequences)
        }
    }

    /// Fires the armed hooks of a target, if it is reachable now: whatever held them back, they miss nothing.
    mutating func fireArmed(
        of position: Int,
        on transition: Transition?,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        guard !standings[position].armed.isEmpty, standings[position].health.isReachable else { return }
        expire(of: position, at: now, into: &consequences)
        let trigger = transition.map(Occasion.Trigger.transition) ?? .user
        let occasion = Occasion(.up, by: trigger, at: now, of: standings[position])
        for hook in standings[position].armed {
            consequences.runs.append(run(hook.rule, armed: hook, of: position, on: occasion))
        }
        standings[position].armed = []
    }

    /// Arms a hook again whose run was made obsolete before it began: the target went away, and it has not run.
    mutating func rearm(after report: HookReport, of position: Int) {
        guard case .dropped(let run, .obsolete) = report, run.attempt == 1, let hook = run.armed else { return }
        standings[position].armed.append(hook)
    }

    private mutating func remove(
        _ hook: ArmedHook,
        of position: Int,
        because drop: HookDrop,
        into consequences: inout Consequences
    ) {
        standings[position].armed.removeAll { $0.id == hook.id }
        consequences.events.append(.disarmed(standings[position].id, hook, of: standings[position].target.label, drop))
    }
}
