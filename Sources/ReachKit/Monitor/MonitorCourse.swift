import Monitoring

/// What a monitor knows, and what follows from what happens: the roster, with its events in the library's words. It reads
/// no clock and touches nothing.
struct MonitorCourse: Sendable {
    /// What follows.
    struct Step: Sendable {
        var events: [Monitor.Event] = []
        var requests: [ProbeRequest] = []
    }

    private(set) var roster: Roster
    private let firstProbes: Monitor.FirstProbes
    /// How far back observations are kept.
    private let history: Duration
    /// Since when nobody has been asked; nil while somebody is.
    private var restingSince: Duration?

    init(_ targets: [Target], firstID: Int, firstProbes: Monitor.FirstProbes, history: Duration, at now: Duration) {
        roster = Roster(firstID: firstID)
        self.firstProbes = firstProbes
        self.history = history
        restingSince = now
        _ = update(targets, at: now)
    }

    /// Begins to ask, or goes on with it. Nothing is said of the time between.
    ///
    /// - Parameter link: what was said last of whether anything leads out of this machine.
    mutating func begin(link: Finding?, at now: Duration) -> Step {
        guard let since = restingSince else { return Step() }
        restingSince = nil
        _ = roster.record([.stalled(gap: now - since, at: now)])
        // What the way out blocks is known before anybody is asked; what it frees is asked with the rest.
        var step = Step(events: link.map { roster.record([$0]) }.map { Self.events($0) } ?? [])
        step.requests = watch(roster.assignments)
        return step
    }

    /// Asks nobody any more.
    mutating func rest(at now: Duration) {
        restingSince = now
    }

    /// Takes over other targets.
    mutating func update(_ targets: [Target], at now: Duration) -> Step {
        var names: Set<String> = []
        let targets = targets.filter { names.insert($0.label).inserted }.map { target in
            var target = target
            target.hooks = []
            return target
        }
        let consequences = roster.apply(Settings(targets: targets, history: history), at: now)
        return step(consequences)
    }

    /// Takes findings into account.
    mutating func record(_ findings: [Finding]) -> Step {
        var step = Step()
        for finding in findings {
            if case .observation(let observation) = finding, roster.judges(observation) {
                step.events.append(.observation(observation))
            }
            // Not within the call below: that would hold a copy meanwhile, and all of the roster be copied for each finding.
            let consequences = roster.record([finding])
            let next = self.step(consequences)
            step.events += next.events
            step.requests += next.requests
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

    /// Those of the targets that are asked now are asked at once.
    func probe(_ ids: [Target.ID]) -> Step {
        let asked = ids.filter { roster.judges($0) }
        return Step(requests: restingSince == nil && !asked.isEmpty ? [.now(asked)] : [])
    }

    private func step(_ consequences: Consequences) -> Step {
        guard restingSince == nil else { return Step(events: Self.events(consequences)) }
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
