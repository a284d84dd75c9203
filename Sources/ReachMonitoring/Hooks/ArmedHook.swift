/// A hook that the user armed from the keyboard. It runs once, when its target is reachable, and is then removed.
public struct ArmedHook: Sendable, Hashable, Identifiable {
    /// The identity of an armed hook.
    public struct ID: Sendable, Hashable {
        /// The number, counted from one, and unique in one run of the program.
        public let rawValue: Int

        /// Creates an identity from its number.
        public init(_ rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The identity.
    public let id: ID
    /// The action.
    public let action: HookAction
    /// When it was armed.
    public let since: Duration
    /// How long the hook waits for its target; nil for no limit.
    public let within: Duration?

    /// Creates an armed hook.
    public init(id: ID, action: HookAction, since: Duration, within: Duration? = nil) {
        self.id = id
        self.action = action
        self.since = since
        self.within = within
    }

    /// When the hook expires; nil for no limit.
    public var deadline: Duration? {
        within.map { since + $0 }
    }

    /// The equivalent rule.
    public var rule: HookRule {
        HookRule(on: [.up], run: action, isOnce: true, firesAtStart: true, within: within)
    }
}

extension Roster {
    /// Arms an action for targets. It runs once for each, as soon as the target is reachable: at once if it is already.
    ///
    /// - Parameters:
    ///   - ids: the targets; each gets its own armed hook.
    ///   - action: the command or request.
    ///   - within: how long the hook waits; nil for no limit.
    ///   - now: the present time.
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
            let state = states[position]
            if state.health.isReachable, state.isProbed {
                let context = HookContext(.up, by: .user, at: now, of: state)
                consequences.runs.append(run(hook.rule, armed: hook, of: position, on: context))
            } else {
                states[position].armed.append(hook)
                remember(position, at: now)
                consequences.report(.armed(hook), of: [state.id], at: now)
            }
        }
        return consequences
    }

    /// Disarms a hook that has not started; a started run continues.
    public mutating func disarm(_ id: ArmedHook.ID, at now: Duration) -> Consequences {
        var consequences = Consequences()
        for position in states.indices {
            guard let hook = states[position].armed.first(where: { $0.id == id }) else { continue }
            remove(hook, of: position, because: .disarmed, at: now, into: &consequences)
        }
        return consequences
    }

    /// Removes armed hooks and acknowledgements past their deadline, reports transitions whose cooldown has ended,
    /// judges targets without the vantage points that no longer report, searches for common causes that waited, and
    /// compares changes of levels.
    public mutating func expire(at now: Duration) -> Consequences {
        var consequences = Consequences()
        if !deferringTargets.isEmpty { reportDeferred(at: now, into: &consequences) }
        expireVantagePoints(at: now, into: &consequences)
        expireSides(at: now, into: &consequences)
        for position in states.indices where states[position].rare != nil {
            expire(of: position, at: now, into: &consequences)
            expireAcknowledgement(of: position, at: now, into: &consequences)
        }
        concludeCauses(at: now, into: &consequences)
        compareShifts(at: now, into: &consequences)
        return consequences
    }

    private mutating func expire(of position: Int, at now: Duration, into consequences: inout Consequences) {
        for hook in states[position].armed {
            guard let within = hook.within, let deadline = hook.deadline, deadline < now else { continue }
            remove(hook, of: position, because: .expired(within: within), at: now, into: &consequences)
        }
    }

    /// Fires the armed hooks of a target if it is reachable now.
    mutating func fireArmed(
        of position: Int,
        on transition: Transition?,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        guard !states[position].armed.isEmpty, states[position].health.isReachable else { return }
        expire(of: position, at: now, into: &consequences)
        let trigger = transition.map(HookContext.Trigger.transition) ?? .user
        let context = HookContext(.up, by: trigger, at: now, of: states[position])
        for hook in states[position].armed {
            consequences.runs.append(run(hook.rule, armed: hook, of: position, on: context))
        }
        states[position].armed = []
        remember(position, at: now)
    }

    /// Arms a hook again whose first run was dropped as obsolete: the target went down before the hook ran.
    mutating func rearm(after report: HookReport, of position: Int) {
        guard case .dropped(let run, .obsolete) = report, run.attempt == 1, let hook = run.armed else { return }
        states[position].armed.append(hook)
    }

    private mutating func remove(
        _ hook: ArmedHook,
        of position: Int,
        because drop: HookDrop,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        states[position].armed.removeAll { $0.id == hook.id }
        remember(position, at: now)
        let state = states[position]
        consequences.report(.disarmed(hook, of: state.target.label, drop), of: [state.id], at: now)
    }
}
