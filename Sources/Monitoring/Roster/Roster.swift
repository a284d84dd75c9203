/// What is true about the network: every target with all that is known of it.
///
/// The roster is the one fold of the engine: settings, findings and the user's wishes go in, ``Consequences`` come
/// out. It reads no clock and touches nothing; time is an argument, counted from the start of the program.
public struct Roster: Sendable {
    /// The targets in the order of the settings.
    public internal(set) var standings: [Standing] = []
    private(set) var positions: [Target.ID: Int] = [:]
    private var nextID = 0
    var nextRun = 1
    var nextArmed = 1

    /// No targets yet.
    public init() {}

    /// What is known of one target; nil when the settings no longer have it.
    public subscript(id: Target.ID) -> Standing? {
        positions[id].map { standings[$0] }
    }

    // MARK: Settings

    /// Takes over new settings. A target that has the same name, question and family as before keeps its identity, history
    /// and health; others are added or removed.
    public mutating func apply(_ settings: Settings, at now: Duration) -> Consequences {
        var consequences = Consequences()
        let before = standings
        let byName = Dictionary(before.map { ($0.target.label, $0) }) { first, _ in first }
        var assignments: [ProbeRequest.Assignment] = []

        standings = settings.targets.map { target in
            let capacity = Self.historyCapacity(of: target, covering: settings.history)
            guard var standing = byName[target.label], standing.target.asksTheSame(as: target) else {
                let new = Standing(
                    id: Target.ID(nextID),
                    target: target,
                    history: History(capacity: capacity),
                    since: now
                )
                nextID += 1
                assignments.append(ProbeRequest.Assignment(id: new.id, target: target))
                return new
            }
            if standing.target != target {
                standing.target = target
                standing.history.resize(to: capacity)
                standing.hookBook.keep(only: target.hooks)
                standing.isPaced = false
                if !standing.isPaused { assignments.append(ProbeRequest.Assignment(id: standing.id, target: target)) }
            }
            return standing
        }
        positions = Dictionary(uniqueKeysWithValues: standings.enumerated().map { ($1.id, $0) })

        let removed = before.map(\.id).filter { positions[$0] == nil }
        for standing in before where positions[standing.id] == nil {
            consequences.events += standing.armed.map { .disarmed($0, of: standing.target.label, .targetGone) }
        }
        if !removed.isEmpty { consequences.requests.append(.forget(removed)) }
        if !assignments.isEmpty { consequences.requests.append(.watch(assignments)) }
        return consequences
    }

    /// Samples that cover `span` at the target's interval; never fewer than the statistics need.
    private static func historyCapacity(of target: Target, covering span: Duration) -> Int {
        min(100_000, max(Statistics.window, Int((span / target.interval).rounded(.up))))
    }

    // MARK: Findings

    /// Takes a batch of findings into account, in order. Findings of removed and of paused targets are nobody's.
    public mutating func record(_ findings: [Finding]) -> Consequences {
        var consequences = Consequences()
        for finding in findings {
            switch finding {
            case .observation(let observation):
                guard let position = judged(observation.target) else { continue }
                record(observation, at: position, into: &consequences)
            case .late(let id):
                if let position = judged(id) { standings[position].totals.late += 1 }
            case .duplicate(let id):
                if let position = judged(id) { standings[position].totals.duplicate += 1 }
            case .addressChanged(let id, let old, let new, let time):
                guard let position = judged(id) else { continue }
                standings[position].address = new
                consequences.events.append(.addressChanged(id, from: old, to: new))
                let trigger = Occasion.Trigger.address(from: old, to: new)
                fireHooks(of: position, on: .address, by: trigger, at: time, into: &consequences)
            case .session(let id, let state, let time):
                guard let position = positions[id] else { continue }
                record(state, at: time, of: position, into: &consequences)
            }
        }
        return consequences
    }

    /// Between two failures of one cause lies another try, and that is no news.
    private mutating func record(
        _ state: SessionState,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        standings[position].session = state
        switch state {
        case .setup, .preparing, .cancelled:
            break
        case .ready, .waiting, .failed:
            guard !standings[position].isPaused, standings[position].toldSession != state else { return }
            standings[position].toldSession = state
            consequences.events.append(.session(standings[position].id, state, at: time))
        }
    }

    private func judged(_ id: Target.ID) -> Int? {
        guard let position = positions[id], !standings[position].isPaused else { return nil }
        return position
    }

    private mutating func record(
        _ observation: Observation,
        at position: Int,
        into consequences: inout Consequences
    ) {
        let id = observation.target
        if let address = observation.address { standings[position].address = address }
        standings[position].totals.record(observation.outcome)

        switch observation.outcome {
        case .fault(let fault):
            if standings[position].fault != fault { consequences.events.append(.fault(id, fault)) }
            standings[position].fault = fault
            return
        case .reply(let reply):
            let time = observation.time
            standings[position].lastReply = reply
            standings[position].history.append(
                reply.roundTrip.map { Sample(time: time, roundTrip: $0) } ?? Sample(replyWithoutRoundTripAt: time)
            )
        case .timeout, .failure:
            standings[position].history.append(Sample(time: observation.time, roundTrip: nil))
        }
        if standings[position].fault != nil {
            standings[position].fault = nil
            consequences.events.append(.faultCleared(id))
        }

        let thresholds = standings[position].target.thresholds
        let transition = standings[position].judge.record(
            observation.outcome,
            at: observation.time,
            under: thresholds
        )
        if let transition {
            standings[position].totals.record(transition)
            consequences.events.append(.transition(id, transition))
            fireHooks(of: position, on: transition, into: &consequences)
        }
        fireArmed(of: position, on: transition, at: observation.time, into: &consequences)
        repace(position, into: &consequences)
    }

    /// Probes more often while a verdict is pending, so that it does not wait.
    private mutating func repace(_ position: Int, into consequences: inout Consequences) {
        let standing = standings[position]
        let isPending = standing.pending != nil && standing.target.retryInterval < standing.target.interval
        guard isPending != standing.isPaced else { return }
        standings[position].isPaced = isPending
        let interval = isPending ? standing.target.retryInterval : standing.target.interval
        consequences.requests.append(.pace(standing.id, interval: interval))
    }

    // MARK: The user's wishes

    /// Switches targets off: nothing is sent to them, nothing is judged, no hook fires.
    public mutating func pause(_ ids: [Target.ID], at now: Duration) -> Consequences {
        let paused = ids.filter { id in
            guard let position = judged(id) else { return false }
            let judge = standings[position].judge
            standings[position].totals.close(judge.health, after: now - judge.since)
            standings[position].pausedSince = now
            standings[position].toldSession = nil
            standings[position].isPaced = false
            return true
        }
        var consequences = Consequences()
        if !paused.isEmpty { consequences.requests.append(.forget(paused)) }
        return consequences
    }

    /// Switches paused targets on again: they are asked at once and start from unknown, their history kept.
    public mutating func resume(_ ids: [Target.ID], at now: Duration) -> Consequences {
        let resumed = ids.compactMap { id -> ProbeRequest.Assignment? in
            guard let position = positions[id], standings[position].isPaused else { return nil }
            standings[position].pausedSince = nil
            standings[position].judge = Judge(since: now)
            return ProbeRequest.Assignment(id: id, target: standings[position].target)
        }
        var consequences = Consequences()
        if !resumed.isEmpty {
            consequences.requests += [.watch(resumed), .now(resumed.map(\.id))]
        }
        return consequences
    }

    /// Forgets the figures and the history of targets; their health stays.
    public mutating func reset(_ ids: [Target.ID]) {
        for case let position? in ids.map({ positions[$0] }) {
            standings[position].totals = Totals()
            standings[position].history.removeAll()
        }
    }
}
