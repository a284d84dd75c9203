/// An event of the stored history: a change of a target, or of the program.
///
/// It is one row on disk and one line of an export, so each part is optional and has one meaning for all kinds.
package struct HistoryEvent: Sendable, Hashable {
    /// What happened. The raw values are a contract: the file and exports have them.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The health changed from `from`, which lasted `length`, to `to`, which began at `since`.
        case transition
        /// The user paused the target.
        case paused
        /// The user resumed the target: it has the health from before the pause.
        case resumed
        /// A dependency is down, so the target is neither probed nor judged; `detail` names it.
        case blocked
        /// The dependency is up again.
        case unblocked
        /// The settings contain the target from now on. Targets from the start of the run have no such event.
        case added
        /// The settings no longer contain the target.
        case removed
        /// The user acknowledged the failure; `detail` is the note, `length` its time limit.
        case acknowledged
        /// The acknowledgement ended; `detail` is why.
        case acknowledgementEnded = "acknowledgement_ended"
        /// The name resolves to another address, `detail`.
        case address
        /// A hook ended, after `length`: `reason` is its event, `detail` its action and result.
        case hook
        /// The target began to flap.
        case flapping
        /// The target no longer flaps.
        case flappingEnded = "flapping_ended"
        /// Planned work begins; `detail` is the name of its window.
        case maintenance
        /// The planned work has ended.
        case maintenanceEnded = "maintenance_ended"
        /// Probes cannot be sent; `reason` is the problem.
        case fault
        /// Probes can be sent again.
        case faultCleared = "fault_cleared"
        /// The program did not run for `length`, until `time`.
        case stalled
        /// The wall clock was set by `length`, to `time`.
        case clock
    }

    /// When it happened, since 1970-01-01T00:00:00Z.
    package var time: Duration
    package var kind: Kind
    package var from: Health?
    package var to: Health?
    /// When the new health began, since 1970. An outage begins when its first lost probe is sent. For a hook of the
    /// settings: when it fired.
    package var since: Duration?
    /// A stable name, such as that of a ``Reason``.
    package var reason: String?
    /// A text for people.
    package var detail: String?
    package var length: Duration?
    /// Whether a hook succeeded.
    package var isSuccess: Bool?

    package init(
        _ kind: Kind,
        at time: Duration,
        from: Health? = nil,
        to: Health? = nil,
        since: Duration? = nil,
        reason: String? = nil,
        detail: String? = nil,
        length: Duration? = nil,
        isSuccess: Bool? = nil
    ) {
        self.time = time
        self.kind = kind
        self.from = from
        self.to = to
        self.since = since
        self.reason = reason
        self.detail = detail
        self.length = length
        self.isSuccess = isSuccess
    }
}

/// An event with the target that it is about; nil for the program.
package struct TargetEvent: Sendable, Hashable {
    package var target: Target.ID?
    package var event: HistoryEvent

    package init(_ target: Target.ID?, _ event: HistoryEvent) {
        self.target = target
        self.event = event
    }
}

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

/// The events that the present state of each target follows from: its health, pause, block and maintenance.
///
/// A run of the history that begins in the middle of the program's life begins with them, since the state of a target is
/// known only from the events of its run.
package struct StateEvents: Sendable {
    private var events: [Target.ID: [HistoryEvent]] = [:]

    package init() {}

    /// The events of all targets, those of each in the order in which they happened.
    package var all: [TargetEvent] {
        events.sorted { $0.key < $1.key }.flatMap { id, events in events.map { TargetEvent(id, $0) } }
    }

    /// Continues with events. They replace those before that no longer count.
    package mutating func apply(_ new: [TargetEvent]) {
        for event in new {
            if let target = event.target { apply(event.event, to: target) } else { apply(event.event) }
        }
    }

    private mutating func apply(_ event: HistoryEvent, to target: Target.ID) {
        let ended = event.kind.ended
        guard !ended.isEmpty else { return }
        var kept = (events[target] ?? []).filter { !ended.contains($0.kind) }
        if event.kind.isState { kept.append(event) }
        events[target] = kept.isEmpty ? nil : kept
    }

    /// After the wall clock was set, the events have the times that the new clock would have given them.
    private mutating func apply(_ event: HistoryEvent) {
        guard event.kind == .clock, let step = event.length else { return }
        events = events.mapValues { events in
            events.map { event in
                var event = event
                (event.time, event.since) = (event.time + step, event.since.map { $0 + step })
                return event
            }
        }
    }
}

extension HistoryEvent.Kind {
    /// Whether the state of a target follows from such an event, until one that ends it.
    package var isState: Bool {
        switch self {
        case .transition, .paused, .blocked, .maintenance, .added: true
        case .resumed, .unblocked, .maintenanceEnded, .removed, .acknowledged, .acknowledgementEnded, .address, .hook,
            .flapping, .flappingEnded, .fault, .faultCleared, .stalled, .clock:
            false
        }
    }

    /// The kinds of the earlier events of a target that do not count any more after one of this kind, as in ``SpanFold``.
    package var ended: Set<Self> {
        switch self {
        case .transition: [.transition, .blocked]
        case .paused: [.paused]
        case .resumed: [.paused, .blocked]
        case .blocked, .unblocked: [.blocked]
        case .maintenance, .maintenanceEnded: [.maintenance]
        case .added, .removed: Set(Self.allCases)
        case .acknowledged, .acknowledgementEnded, .address, .hook, .flapping, .flappingEnded, .fault, .faultCleared,
            .stalled, .clock:
            []
        }
    }
}
