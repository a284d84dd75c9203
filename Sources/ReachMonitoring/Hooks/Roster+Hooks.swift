extension Roster {
    /// Fires the hooks that wait for a change of health.
    mutating func fireHooks(of position: Int, on transition: Transition, into consequences: inout Consequences) {
        let decisions = states[position].hookTracker.decide(
            on: transition,
            among: states[position].target.hooks,
            under: hookConditions(of: position, at: transition.time)
        )
        carryOut(decisions, at: transition.time, of: position, into: &consequences)
    }

    /// Fires the actions of a target that replies for the first time after an interruption of the own side. It was not down,
    /// so nothing is reported; but what is to run when it can be reached again is to run now.
    mutating func fireActions(of position: Int, at time: Duration, into consequences: inout Consequences) {
        guard let since = states[position].interruptedSince else { return }
        states[position].interruptedSince = nil
        let health = states[position].health
        guard health.isReachable else { return }
        let length = time - since
        let decisions = states[position].hookTracker.decideOnReturn(
            Transition(from: health, to: health, time: time, lasted: length, cause: .replies(1)),
            among: states[position].target.hooks,
            under: hookConditions(of: position, at: time)
        )
        carryOut(decisions, at: time, of: position, into: &consequences)
    }

    /// Fires the hooks that wait for another address.
    mutating func fireAddressHooks(
        of position: Int,
        from old: String,
        to new: String,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let decisions = states[position].hookTracker.decideOnAddress(
            from: old,
            to: new,
            among: states[position].target.hooks,
            under: hookConditions(of: position, at: time)
        )
        carryOut(decisions, at: time, of: position, into: &consequences)
    }

    /// Fires the hooks that wait for news about the path.
    mutating func firePathHooks(
        of position: Int,
        on news: PathNews,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let decisions = states[position].hookTracker.decideOnPath(
            news,
            at: states[position].health,
            among: states[position].target.hooks,
            under: hookConditions(of: position, at: time)
        )
        carryOut(decisions, at: time, of: position, into: &consequences)
    }

    /// Fires the hooks that wait for a change of the usual round trips or losses.
    mutating func fireShiftHooks(
        of position: Int,
        on news: ShiftNews,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let decisions = states[position].hookTracker.decideOnShift(
            news,
            among: states[position].target.hooks,
            under: hookConditions(of: position, at: time)
        )
        carryOut(decisions, at: time, of: position, into: &consequences)
    }

    /// Fires the hooks that wait for a common cause or its end, each rule once for all of the targets.
    ///
    /// - Parameter isFromStart: whether the outages were found at the start of the program.
    mutating func fireCauseHooks(
        on news: CauseNews,
        of targets: [Target.ID],
        isFromStart: Bool,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let event: HookEvent
        switch news {
        case .named: event = .cause
        case .ended: event = .causeEnd
        case .moved, .joined: return
        }
        var decided: Set<HookRule> = []
        for position in targets.compactMap({ positions[$0] }) {
            for rule in states[position].target.hooks where rule.events.contains(event) && !decided.contains(rule) {
                guard rule.firesAtStart || !isFromStart else { continue }
                // Another target may not be acknowledged.
                guard !rule.skipsAcknowledged || !states[position].isAcknowledged else { continue }
                decided.insert(rule)
                guard let decision = causes?.decide(rule, on: event, by: news.cause, at: time) else { continue }
                carryOut([decision], at: time, of: position, into: &consequences)
            }
        }
    }

    /// Fires the hooks that wait for the begin or the end of flapping.
    mutating func fireFlappingHooks(
        of position: Int,
        share: Double,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let decisions = states[position].hookTracker.decideOnFlapping(
            share: share,
            among: states[position].target.hooks,
            under: hookConditions(of: position, at: time)
        )
        carryOut(decisions, at: time, of: position, into: &consequences)
    }

    private mutating func carryOut(
        _ decisions: [HookTracker.Decision],
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        updateDeferringTargets(position)
        for decision in decisions {
            switch decision {
            case .fire(let rule, _, _) where !runsHooks:
                // Its result there is not known here.
                recordSuccess(true, of: rule, at: position)
            case .skip where !runsHooks:
                break
            case .skip(let rule, let drop):
                consequences.report(.hookSkipped(rule, drop), of: [states[position].id], at: time)
            case .fire(let rule, let event, let trigger):
                let context = HookContext(event, by: trigger, at: time, of: states[position])
                consequences.runs.append(run(rule, of: position, on: context))
            }
        }
    }

    /// Creates a run.
    mutating func run(
        _ rule: HookRule,
        armed: ArmedHook? = nil,
        of position: Int,
        on context: HookContext
    ) -> HookRun {
        defer { nextRun += 1 }
        var context = context
        if context.commonCause == nil { context.commonCause = states[position].commonCause.flatMap { commonCause($0) } }
        return HookRun(id: nextRun, target: states[position].id, rule: rule, armed: armed, context: context)
    }

    /// Runs each rule of a target once, as a manual test. Cooldowns and `once` are neither checked nor changed.
    public mutating func test(_ id: Target.ID, at now: Duration) -> Consequences {
        var consequences = Consequences()
        guard let position = positions[id] else { return consequences }
        let context = HookContext(.test, by: .user, at: now, of: states[position])
        for rule in states[position].target.hooks {
            consequences.runs.append(run(rule, of: position, on: context))
        }
        if consequences.runs.isEmpty { consequences.report(.hooksMissing, of: [id], at: now) }
        return consequences
    }

    /// Records the progress of a hook run. Tests are not recorded.
    public mutating func record(_ report: HookReport) {
        let run = report.run
        guard !run.isTest, let position = positions[run.target] else { return }
        guard run.armed == nil else { return rearm(after: report, of: position) }
        switch report {
        case .started, .retrying:
            break
        case .finished(_, let result):
            recordSuccess(result.isSuccess, of: run.rule, at: position)
        case .dropped:
            // A dropped retry keeps the cooldown that its first attempt began.
            guard run.attempt == 1 else { return }
            causes?.revoke(run)
            states[position].hookTracker.revoke(run.context.event, of: run.rule, on: run.context)
            updateDeferringTargets(position)
        }
    }

    /// Records the end of a run. The first success disarms a rule that runs once.
    private mutating func recordSuccess(_ isSuccess: Bool, of rule: HookRule, at position: Int) {
        states[position].hookTracker.record(success: isSuccess, of: rule)
        if rule.isOnce, isSuccess, rule.firesOnCauses { causes?.disarmed.insert(rule) }
    }

    // MARK: Deferred reports

    /// The conditions of a target's rules.
    private func hookConditions(of position: Int, at now: Duration) -> HookConditions {
        states[position].hookConditions(
            at: now,
            mayBeExplained: states[position].commonCause != nil || explanationDeadline(of: position, at: now) != nil
        )
    }

    /// Updates whether the target is in the list of deferred reports.
    private mutating func updateDeferringTargets(_ position: Int) {
        let id = states[position].id
        if states[position].rare != nil, states[position].hookTracker.hasDeferredReports {
            deferringTargets.insert(id)
        } else {
            deferringTargets.remove(id)
        }
    }

    /// The time when the first cooldown with a deferred report ends, a report of a vantage point can become stale,
    /// maintenance begins or ends, a search for causes is due, or a verdict no longer waits for answers of others; nil if
    /// there is none.
    public var nextExpiry: Duration? {
        let reports = deferringTargets.compactMap { id -> Duration? in
            guard let position = positions[id], let reported = states[position].reportedState else { return nil }
            if let now = causes?.now, let deadline = explanationDeadline(of: position, at: now) { return deadline }
            return states[position].hookTracker.nextReport(
                of: reported,
                among: states[position].target.hooks,
                under: hookConditions(of: position, at: causes?.now ?? .zero)
            )
        }
        let deadlines = [
            vantage.deadline, maintenance.nextCheck, sideWatch?.deadline, causes?.deadline, shifts?.recent.deadline,
        ]
        return (reports + deadlines.compactMap(\.self)).min()
    }

    /// Fires the deferred reports of all targets that are due.
    mutating func reportDeferred(at now: Duration, into consequences: inout Consequences) {
        for id in deferringTargets.sorted(by: { $0.rawValue < $1.rawValue }) {
            if let position = positions[id] {
                reportDeferred(position, at: now, into: &consequences)
            } else {
                deferringTargets.remove(id)
            }
        }
    }

    /// Fires the deferred reports of a target that are due.
    mutating func reportDeferred(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        guard !deferringTargets.isEmpty, deferringTargets.contains(states[position].id),
            let reported = states[position].reportedState
        else { return }
        let decisions = states[position].hookTracker.decideDue(
            reported,
            among: states[position].target.hooks,
            under: hookConditions(of: position, at: now)
        )
        carryOut(decisions, at: now, of: position, into: &consequences)
    }

    /// Drops the deferred reports of a target, except those that wait for the end of flapping or of maintenance.
    mutating func dropDeferred(_ position: Int, at now: Duration) {
        guard deferringTargets.contains(states[position].id) else { return }
        states[position].hookTracker.dropDeferredReports(under: hookConditions(of: position, at: now))
        updateDeferringTargets(position)
    }
}

extension TargetState {
    /// The state that deferred reports would report; nil while that is not known: it is not probed, or was not probed
    /// since a pause or a block.
    fileprivate var reportedState: HookTracker.ReportedState? {
        guard isProbed, probedSince == .zero || fault != nil || history.last.map({ $0.time >= probedSince }) ?? false
        else {
            return nil
        }
        return HookTracker.ReportedState(health: health, address: address, flappingShare: flappingShare)
    }
}
