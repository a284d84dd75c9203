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
        /// The path to the target: `reason` is where it ends, or `changed`; `detail` has the routers.
        case path
        /// A trace found another path than the one before, or the first one: `reason` is where it ends, `detail` has the
        /// hops.
        case traced
        /// The outage has a common cause with others: `detail` is its place.
        case cause
        /// Outages have a common cause: `reason` is `named`, `moved` or `ended`, `detail` the place with the evidence. At the
        /// end, `length` is how long it lasted.
        case commonCause = "common_cause"
        /// The usual round trips or losses changed: `reason` is a ``ShiftNews/Change``, `detail` has both levels. It began at
        /// `since`; `length` is how long a shift lasted that it ends.
        case shift
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
    /// Lines below the text: of a transition to down, the response of the server and its certificate; of a hook, the end of its
    /// output.
    package var output: String?
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
        output: String? = nil,
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
        self.output = output
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
    ///   - now: the time of removals, since the start of the program.
    ///   - wall: the wall time of the program's start.
    ///   - redaction: removes secrets, which are never stored.
    package static func events(
        of consequences: Consequences,
        at now: Duration,
        wall: WallTime,
        redaction: Redaction
    ) -> [TargetEvent] {
        let events = consequences.events.flatMap { event -> [TargetEvent] in
            if case .cause(let news) = event.kind {
                return causeEvents(of: news, event, at: wall.start + event.time, redaction)
            }
            guard let stored = HistoryEvent(event, wall: wall, redaction: redaction) else { return [] }
            guard !event.targets.isEmpty else { return [TargetEvent(nil, stored)] }
            var all = event.targets.map { TargetEvent($0, stored) }
            if case .transition(let transition) = event.kind, let path = transition.path {
                // The transition has only where it ends.
                let news = RosterEvent(.path(.ended(path)), of: event.targets, at: event.time)
                if let stored = HistoryEvent(news, wall: wall, redaction: redaction) {
                    all += event.targets.map { TargetEvent($0, stored) }
                }
            }
            return all
        }
        let traced = consequences.traced.map { TargetEvent($0.target, HistoryEvent($0.found, wall: wall, redaction)) }
        return events + traced
            + consequences.removed.map { TargetEvent($0, HistoryEvent(.removed, at: wall.start + now)) }
    }

    /// The stored events of a common cause: one of the program, and one of each target that it explains.
    private static func causeEvents(
        of news: CauseNews,
        _ event: RosterEvent,
        at time: Duration,
        _ redaction: Redaction
    ) -> [TargetEvent] {
        // The wall time at which the first of the outages began.
        let start = time - event.time + news.cause.since
        var summary = HistoryEvent(.commonCause, at: time, reason: news.name, detail: redaction.text(news.summary))
        if case .ended = news { summary.length = time - start }
        let explained = HistoryEvent(.cause, at: time, reason: news.name, detail: redaction.text(news.cause.place))
        let targets = event.targets.map { TargetEvent($0, explained) }
        return switch news {
        case .named, .moved: [TargetEvent(nil, summary)] + targets
        case .joined: targets
        case .ended: [TargetEvent(nil, summary)]
        }
    }

    /// The stored event of a hook report; nil until the hook has ended, and for a test.
    package init?(_ report: HookReport, at now: Duration, wall: WallTime, redaction: Redaction) {
        guard case .finished(let run, let result) = report, !run.isTest else { return nil }
        let event = HistoryEvent(
            .hook,
            at: wall.start + now,
            // Only the runs of a rule have one, not those of a hook armed from the keyboard.
            since: run.armed == nil ? wall.start + run.context.time : nil,
            reason: run.context.event.rawValue,
            detail: redaction.text("\(run.rule.action) \(report.summary)"),
            output: HistoryEvent.end(of: redaction.text(result.output)),
            length: result.duration,
            isSuccess: result.isSuccess
        )
        self.init(run.target, event)
    }
}

extension HistoryEvent {
    /// The stored event of an event of the roster; nil for one that is not stored.
    init?(_ event: RosterEvent, wall: WallTime, redaction: Redaction) {
        let time = wall.start + event.time
        switch event.kind {
        case .transition(let transition): self.init(transition, wall: wall, redaction: redaction)
        case .paused: self.init(.paused, at: time)
        case .resumed: self.init(.resumed, at: time)
        case .blocked(let blocker): self.init(.blocked, at: time, detail: redaction.blocker(blocker).name)
        case .unblocked: self.init(.unblocked, at: time)
        case .acknowledged(let acknowledgement):
            let note = redaction.text(acknowledgement.reason)
            self.init(.acknowledged, at: time, detail: note, length: acknowledgement.length)
        case .acknowledgementEnded(let end): self.init(.acknowledgementEnded, at: time, detail: end.summary)
        case .addressChanged(let old, let new):
            self.init(.address, at: time, detail: redaction.text("\(new), was \(old)"))
        case .path(let news):
            self.init(.path, at: time, reason: news.name, detail: redaction.text(news.storedText))
        case .flapping(let isFlapping, _): self.init(isFlapping ? .flapping : .flappingEnded, at: time)
        case .maintenance(let name, _): self.init(.maintenance, at: time, detail: name.map(redaction.text))
        case .maintenanceEnded: self.init(.maintenanceEnded, at: time)
        case .fault(let fault):
            self.init(.fault, at: time, reason: fault.problem.rawValue, detail: redaction.text(fault.detail))
        case .faultCleared: self.init(.faultCleared, at: time)
        case .stalled(let gap): self.init(.stalled, at: time, length: gap)
        case .shift(let news):
            guard let stored = StoredShift(news) else { return nil }
            self.init(
                .shift,
                at: time,
                since: wall.start + news.began,
                reason: news.change.rawValue,
                detail: redaction.text(stored.detail),
                length: news.ends
            )
        case .cause, .session, .hookSkipped, .armed, .disarmed, .hooksMissing, .scheduleMissed, .scheduleKept:
            return nil
        }
    }

    /// The stored event of a path.
    init(_ found: StoredPath, wall: WallTime, _ redaction: Redaction) {
        let detail = redaction.text(found.path.storedText)
        self.init(.traced, at: wall.start + found.time, reason: found.path.end.kind, detail: detail)
    }

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
            output: transition.evidence.map(redaction.text),
            length: transition.lasted
        )
    }
}

extension HistoryEvent {
    /// The most lines and characters of the output of a hook that are stored.
    private static let (maxLines, maxLength) = (20, 2_000)

    /// The detail and the output as one text, as the file has them.
    package var storedText: String? {
        guard let output else { return detail }
        return "\(detail ?? "")\n\(output)"
    }

    /// Takes the detail and the output from their text in the file.
    package mutating func setText(_ text: String?) {
        guard let text, let end = text.firstIndex(of: "\n") else {
            (detail, output) = (text, nil)
            return
        }
        (detail, output) = (
            end == text.startIndex ? nil : String(text[..<end]), String(text[text.index(after: end)...])
        )
    }

    /// The last lines of a text, up to the limits; nil without any.
    fileprivate static func end(of text: String) -> String? {
        let lines = text.suffix(maxLength).split(whereSeparator: \.isNewline).suffix(maxLines)
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}

/// The events that the present state of each target follows from: its health, pause, block, maintenance and path.
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
        case .transition, .paused, .blocked, .maintenance, .added, .traced: true
        case .resumed, .unblocked, .maintenanceEnded, .removed, .acknowledged, .acknowledgementEnded, .address, .path,
            .cause, .commonCause, .shift, .hook, .flapping, .flappingEnded, .fault, .faultCleared, .stalled, .clock:
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
        case .traced: [.traced]
        case .added, .removed: Set(Self.allCases)
        case .acknowledged, .acknowledgementEnded, .address, .path, .cause, .commonCause, .shift, .hook, .flapping,
            .flappingEnded, .fault, .faultCleared, .stalled, .clock:
            []
        }
    }
}
