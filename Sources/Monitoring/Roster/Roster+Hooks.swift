extension Roster {
    /// Fires what waits for a change of health.
    mutating func fireHooks(
        of position: Int,
        on transition: Transition,
        into consequences: inout Consequences
    ) {
        standings[position].hookBook.note(transition)
        let decisions = standings[position].hookBook.decide(on: transition, among: standings[position].target.hooks)
        noteOwed(position)
        follow(decisions, by: .transition(transition), at: transition.time, of: position, into: &consequences)
    }

    /// Fires what waits for an event that is no change of health.
    mutating func fireHooks(
        of position: Int,
        on event: HookEvent,
        by trigger: Occasion.Trigger,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let decisions = standings[position].hookBook.decide(
            on: event,
            at: time,
            among: standings[position].target.hooks
        )
        follow(decisions, by: trigger, at: time, of: position, into: &consequences)
    }

    private mutating func follow(
        _ decisions: [HookBook.Decision],
        by trigger: Occasion.Trigger,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        for decision in decisions {
            switch decision {
            case .skip(let rule, let drop):
                consequences.events.append(.hookSkipped(standings[position].id, rule, drop))
            case .fire(let rule, let event):
                let occasion = Occasion(event, by: trigger, at: time, of: standings[position])
                consequences.runs.append(run(rule, of: position, on: occasion))
            }
        }
    }

    /// A new run.
    mutating func run(
        _ rule: HookRule,
        armed: ArmedHook? = nil,
        of position: Int,
        on occasion: Occasion
    ) -> HookRun {
        defer { nextRun += 1 }
        return HookRun(id: nextRun, target: standings[position].id, rule: rule, armed: armed, occasion: occasion)
    }

    /// Runs each rule of a target once, by hand: neither a cooldown nor `once` takes notice.
    public mutating func test(_ id: Target.ID, at now: Duration) -> Consequences {
        var consequences = Consequences()
        guard let position = positions[id] else { return consequences }
        let occasion = Occasion(.test, by: .user, at: now, of: standings[position])
        for rule in standings[position].target.hooks {
            consequences.runs.append(run(rule, of: position, on: occasion))
        }
        if consequences.runs.isEmpty { consequences.events.append(.hooksMissing(id)) }
        return consequences
    }

    /// Takes into account what became of a hook run. Of a test, nothing is remembered.
    public mutating func record(_ report: HookReport) {
        let run = report.run
        guard !run.isTest, let position = positions[run.target] else { return }
        guard run.armed == nil else { return rearm(after: report, of: position) }
        switch report {
        case .started, .retrying:
            break
        case .finished(_, let result):
            standings[position].hookBook.record(success: result.isSuccess, of: run.rule)
        case .dropped(_, let drop):
            // A retry is dropped after the run that began the cooldown.
            guard run.attempt == 1 else { return }
            standings[position].hookBook.takeBack(
                run.occasion.event,
                of: run.rule,
                on: run.occasion,
                isObsolete: drop == .obsolete
            )
            noteOwed(position)
        }
    }

    // MARK: What cooldowns hold back

    /// Keeps the list of targets that have something to report later.
    mutating func noteOwed(_ position: Int) {
        let id = standings[position].id
        if standings[position].rare != nil, standings[position].hookBook.isOwing {
            owing.insert(id)
        } else {
            owing.remove(id)
        }
    }

    /// When the next cooldown ends that holds a report back; nil when there is none.
    ///
    /// What waits for a pause, a blockade or flapping to end is due at once, and reported by the first ``expire(at:)`` after
    /// that end.
    public var nextExpiry: Duration? {
        owing.compactMap { id in
            guard let position = positions[id], standings[position].reportsHealth else { return nil }
            let standing = standings[position]
            return standing.hookBook.nextReport(of: standing.health, among: standing.target.hooks) ?? .zero
        }.min()
    }

    /// Reports what cooldowns held back that have ended.
    mutating func reportOwed(at now: Duration, into consequences: inout Consequences) {
        for id in owing.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let position = positions[id] else {
                owing.remove(id)
                continue
            }
            guard standings[position].reportsHealth else { continue }
            let standing = standings[position]
            let reports = standings[position].hookBook.takeReports(
                of: standing.health,
                at: now,
                among: standing.target.hooks
            )
            for report in reports {
                let trigger = Occasion.Trigger.transition(report.transition)
                let occasion = Occasion(report.event, by: trigger, at: now, of: standings[position])
                consequences.runs.append(run(report.rule, of: position, on: occasion))
            }
            noteOwed(position)
        }
    }
}

extension Standing {
    /// Whether hooks may be told of the health now.
    fileprivate var reportsHealth: Bool {
        isAsked && !isFlapping && health != .unknown
    }
}
