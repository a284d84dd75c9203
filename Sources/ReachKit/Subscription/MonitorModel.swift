import ReachMonitoring

/// The state machine of a monitor: a roster whose events are translated to those of the library.
struct MonitorModel: SubscriptionModel {
    typealias Event = Monitor.Event

    private(set) var roster: Roster
    private let firstProbes: Monitor.FirstProbes
    /// How far back observations are kept.
    private let history: Duration
    /// When the last run ended; nil during a run.
    private var stoppedSince: Duration?

    init(_ targets: [Target], firstID: Int, firstProbes: Monitor.FirstProbes, history: Duration, at now: Duration) {
        roster = Roster(firstID: firstID)
        self.firstProbes = firstProbes
        self.history = history
        stoppedSince = now
        _ = update(targets, at: now)
    }

    /// Starts a run. The time since the last one counts as a stall, of which no event is reported.
    mutating func start(link: Finding?, at now: Duration) -> Step {
        guard let since = stoppedSince else { return Step() }
        stoppedSince = nil
        _ = roster.record([.stalled(gap: now - since, at: now)])
        // The link comes first, since it decides which targets are blocked.
        let events = link.map { Self.events(roster.record([$0])) } ?? []
        return Step(events: events, requests: watch(roster.assignments))
    }

    mutating func stop(at now: Duration) -> [Target.ID] {
        stoppedSince = now
        return roster.states.map(\.id)
    }

    /// Replaces the targets.
    mutating func update(_ targets: [Target], at now: Duration) -> Step {
        let targets = targets.map { target in
            var target = target
            target.hooks = []
            return target
        }
        let consequences = roster.apply(Settings(targets: targets, history: history), at: now)
        return step(consequences)
    }

    mutating func record(_ findings: [Finding]) -> Step {
        var step = Step()
        for finding in findings {
            if case .observation(let observation) = finding, roster.judges(observation) {
                step.events.append(.observation(observation))
            }
            // Not an argument of the call below, which would copy the roster for each finding.
            let consequences = roster.record([finding])
            step.append(self.step(consequences))
        }
        return step
    }

    mutating func pause(_ ids: [Target.ID], at now: Duration) -> Step {
        let consequences = roster.pause(ids, at: now)
        return step(consequences)
    }

    mutating func resume(_ ids: [Target.ID], at now: Duration) -> Step {
        let consequences = roster.resume(ids, at: now)
        return step(consequences)
    }

    /// Probes targets at once, except for those that are paused or blocked.
    func probe(_ ids: [Target.ID]) -> Step {
        let probed = ids.filter { roster.judges($0) }
        return Step(requests: stoppedSince == nil && !probed.isEmpty ? [.now(probed)] : [])
    }

    private func step(_ consequences: Consequences) -> Step {
        guard stoppedSince == nil else { return Step(events: Self.events(consequences)) }
        let requests = consequences.requests.flatMap { request in
            if case .watch(let assignments) = request { watch(assignments) } else { [request] }
        }
        return Step(events: Self.events(consequences), requests: requests)
    }

    private static func events(_ consequences: Consequences) -> [Monitor.Event] {
        consequences.events.compactMap { Monitor.Event($0) }
    }

    private func watch(_ assignments: [ProbeRequest.Assignment]) -> [ProbeRequest] {
        switch firstProbes {
        // First probes are staggered within a request.
        case .atOnce: assignments.map { .watch([$0]) }
        case .staggered: assignments.isEmpty ? [] : [.watch(assignments)]
        }
    }
}
