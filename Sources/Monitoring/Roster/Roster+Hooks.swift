extension Roster {
    /// Fires the hooks that wait for a change of health.
    ///
    /// - Parameter time: when they fire, if that is not the time of the change.
    mutating func fireHooks(
        of position: Int,
        on transition: Transition,
        at time: Duration? = nil,
        into consequences: inout Consequences
    ) {
        states[position].hookTracker.record(transition)
        let decisions = states[position].hookTracker.decide(
            on: transition,
            at: time ?? transition.time,
            among: states[position].target.hooks,
            isAcknowledged: states[position].isAcknowledged
        )
        updateDeferringTargets(position)
        carryOut(decisions, by: .transition(transition), at: time ?? transition.time, of: position, into: &consequences)
    }

    /// Fires the hooks that wait for an event other than a change of health.
    mutating func fireHooks(
        of position: Int,
        on event: HookEvent,
        by trigger: HookContext.Trigger,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        // At the end of maintenance, they fire if the state still differs from that before.
        guard !states[position].isInMaintenance else { return }
        let decisions = states[position].hookTracker.decide(
            on: event,
            at: time,
            among: states[position].target.hooks,
            isAcknowledged: states[position].isAcknowledged
        )
        carryOut(decisions, by: trigger, at: time, of: position, into: &consequences)
    }

    private mutating func carryOut(
        _ decisions: [HookTracker.Decision],
        by trigger: HookContext.Trigger,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        for decision in decisions {
            switch decision {
            case .skip(let rule, let drop):
                consequences.events.append(.hookSkipped(states[position].id, rule, drop))
            case .fire(let rule, let event):
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
        if consequences.runs.isEmpty { consequences.events.append(.hooksMissing(id)) }
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
            states[position].hookTracker.record(success: result.isSuccess, of: run.rule)
        case .dropped(_, let drop):
            // A dropped retry keeps the cooldown that its first attempt began.
            guard run.attempt == 1 else { return }
            states[position].hookTracker.revoke(
                run.context.event,
                of: run.rule,
                on: run.context,
                isObsolete: drop == .obsolete
            )
            updateDeferringTargets(position)
        }
    }

    // MARK: Reports deferred by cooldowns

    /// Updates whether the target is in the list of deferred reports.
    mutating func updateDeferringTargets(_ position: Int) {
        let id = states[position].id
        if states[position].rare != nil, states[position].hookTracker.hasDeferredReports {
            deferringTargets.insert(id)
        } else {
            deferringTargets.remove(id)
        }
    }

    /// The time when the next cooldown with a deferred report ends, a report of a vantage point can become stale, or
    /// maintenance begins or ends; nil if there is none.
    ///
    /// A report that waited for a pause, a block or flapping is due at once: the first ``expire(at:)`` after that fires
    /// it.
    public var nextExpiry: Duration? {
        let reports = deferringTargets.compactMap { id -> Duration? in
            guard let position = positions[id], states[position].reportsHealth else { return nil }
            let state = states[position]
            return state.hookTracker.nextReport(of: state.health, among: state.target.hooks) ?? .zero
        }
        return (reports + [vantage.deadline, maintenance.nextCheck].compactMap(\.self)).min()
    }

    /// Fires the deferred reports whose cooldown has ended.
    mutating func reportDeferred(at now: Duration, into consequences: inout Consequences) {
        for id in deferringTargets.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let position = positions[id] else {
                deferringTargets.remove(id)
                continue
            }
            guard states[position].reportsHealth else { continue }
            let state = states[position]
            let reports = states[position].hookTracker.removeDueReports(
                of: state.health,
                at: now,
                among: state.target.hooks
            )
            for report in reports {
                let trigger = HookContext.Trigger.transition(report.transition)
                let context = HookContext(report.event, by: trigger, at: now, of: states[position])
                guard !report.rule.skipsAcknowledged || !state.isAcknowledged else {
                    states[position].hookTracker.revoke(report.event, of: report.rule, on: context, isObsolete: false)
                    consequences.events.append(.hookSkipped(id, report.rule, .acknowledged))
                    continue
                }
                consequences.runs.append(run(report.rule, of: position, on: context))
            }
            updateDeferringTargets(position)
        }
    }
}

extension TargetState {
    /// Whether hooks may report the health now.
    fileprivate var reportsHealth: Bool {
        isProbed && !withholdsHooks && health != .unknown
    }
}
