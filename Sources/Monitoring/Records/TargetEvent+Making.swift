extension TargetEvent {
    /// The stored events of a change of the roster, in order.
    ///
    /// - Parameters:
    ///   - now: the time of events that carry none, since the start of the program.
    ///   - wall: the wall time of the program's start.
    ///   - redaction: removes secrets, which are never stored.
    package static func events(
        of consequences: Consequences,
        at now: Duration,
        wall: WallTime,
        redaction: Redaction
    ) -> [TargetEvent] {
        consequences.events.flatMap { events(of: $0, at: now, wall: wall, redaction: redaction) }
            + consequences.removed.map { TargetEvent($0, HistoryEvent(.removed, at: wall.start + now)) }
    }

    private static func events(
        of event: RosterEvent,
        at now: Duration,
        wall: WallTime,
        redaction: Redaction
    ) -> [TargetEvent] {
        let all = { (ids: [Target.ID], kind: HistoryEvent.Kind, time: Duration, detail: String?) in
            ids.map { TargetEvent($0, HistoryEvent(kind, at: wall.start + time, detail: detail)) }
        }
        switch event {
        case .transition(let id, let transition):
            return [TargetEvent(id, HistoryEvent(transition, wall: wall, redaction: redaction))]
        case .paused(let ids, let time):
            return all(ids, .paused, time, nil)
        case .resumed(let ids, let time):
            return all(ids, .resumed, time, nil)
        case .blocked(let ids, let blocker, let time):
            return all(ids, .blocked, time, redaction.blocker(blocker).name)
        case .unblocked(let ids, let time):
            return all(ids, .unblocked, time, nil)
        case .acknowledged(let id, let acknowledgement):
            var event = HistoryEvent(.acknowledged, at: wall.start + acknowledgement.since)
            event.detail = redaction.text(acknowledgement.reason)
            event.length = acknowledgement.length
            return [TargetEvent(id, event)]
        case .acknowledgementEnded(let id, let end, let time):
            return all([id], .acknowledgementEnded, time, end.summary)
        case .addressChanged(let id, let old, let new):
            return all([id], .address, now, redaction.text("\(new), was \(old)"))
        case .flapping(let id, let isFlapping, _, let time):
            return all([id], isFlapping ? .flapping : .flappingEnded, time, nil)
        case .maintenance(let ids, let name, _, let time):
            return all(ids, .maintenance, time, name.map(redaction.text))
        case .maintenanceEnded(let ids, let time):
            return all(ids, .maintenanceEnded, time, nil)
        case .fault(let id, let fault):
            var event = HistoryEvent(.fault, at: wall.start + now)
            (event.reason, event.detail) = (fault.problem.rawValue, redaction.text(fault.detail))
            return [TargetEvent(id, event)]
        case .faultCleared(let id):
            return all([id], .faultCleared, now, nil)
        case .stalled(let gap, let time):
            return [TargetEvent(nil, HistoryEvent(.stalled, at: wall.start + time, length: gap))]
        case .session, .hookSkipped, .armed, .disarmed, .hooksMissing, .scheduleMissed, .scheduleKept:
            return []
        }
    }

    /// The stored event of a hook report; nil until the hook has ended, and for a test.
    package init?(_ report: HookReport, at now: Duration, wall: WallTime, redaction: Redaction) {
        guard case .finished(let run, let result) = report, !run.isTest else { return nil }
        let event = HistoryEvent(
            .hook,
            at: wall.start + now,
            // Hooks that were armed from the keyboard have none: they are no runs of a rule.
            since: run.armed == nil ? wall.start + run.context.time : nil,
            reason: run.context.event.rawValue,
            detail: redaction.text("\(run.rule.action) \(report.summary)"),
            length: result.duration,
            isSuccess: result.isSuccess
        )
        self.init(run.target, event)
    }
}

extension HistoryEvent {
    /// The stored event of a transition.
    package init(_ transition: Transition, wall: WallTime, redaction: Redaction = Redaction()) {
        self.init(
            .transition,
            at: wall.start + transition.time,
            from: transition.from,
            to: transition.to,
            since: wall.start + transition.began,
            reason: transition.reason,
            detail: transition.detail.map(redaction.text),
            length: transition.lasted
        )
    }
}
