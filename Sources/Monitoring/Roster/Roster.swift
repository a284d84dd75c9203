/// What is true about the network: every target with all that is known of it.
///
/// The roster is the one fold of the engine: settings, findings and the user's wishes go in, ``Consequences`` come
/// out. It reads no clock and touches nothing; time is an argument, counted from the start of the program.
public struct Roster: Sendable {
    /// The targets in the order of the settings.
    public internal(set) var standings = Standings()
    /// Grows with every settings that it takes over.
    public private(set) var edition = 0
    var positions = TargetTable<Int>()
    var dependencies = DependencyGraph()
    /// Whether something leads out of this machine; nil before that is known.
    var hasWayOut: Bool?
    /// How many probes are added for targets that are down.
    var recovery = RecoveryBudget()
    /// The settings in force but for their targets, which the rows have.
    private var settings = Settings(targets: [])
    /// By the labels of the targets that have a row for each address, where these are known.
    var resolved: [String: Resolved] = [:]
    private var nextID: Int
    var nextRun = 1
    var nextArmed = 1
    /// The targets of which a cooldown holds a report back.
    var owing: Set<Target.ID> = []

    /// No targets yet.
    ///
    /// - Parameter firstID: the first target's number: several rosters on one engine must not give the same.
    public init(firstID: Int = 0) {
        nextID = firstID
    }

    /// What is known of one target; nil when the settings no longer have it.
    public subscript(id: Target.ID) -> Standing? {
        positions[id].map { standings[$0] }
    }

    /// Where a target stands among the standings; nil when the settings no longer have it.
    public func position(of id: Target.ID) -> Int? {
        positions[id]
    }

    /// The targets as the settings have them.
    public var targets: [Target] {
        var targets: [Target] = []
        for standing in standings {
            // The rows of the addresses of a target stand side by side.
            let target = standing.target.withoutRow
            if target.label != targets.last?.label { targets.append(target) }
        }
        return targets
    }

    /// The settings in force.
    var currentSettings: Settings {
        var settings = settings
        settings.targets = targets
        return settings
    }

    /// All that are asked now.
    public var assignments: [ProbeRequest.Assignment] {
        standings.compactMap { assignment(of: $0.id) }
    }

    // MARK: Settings

    /// Takes over new settings. A target that has the same name, question and family as before keeps its identity, history
    /// and health; others are added or removed. The rows of the addresses of a name begin with what was known before it was
    /// resolved.
    public mutating func apply(_ settings: Settings, at now: Duration) -> Consequences {
        apply(settings, replacing: [:], at: now)
    }

    /// Takes over new settings.
    ///
    /// - Parameter replaced: the labels of the rows whose knowledge new ones take over, by the labels of these.
    mutating func apply(_ settings: Settings, replacing replaced: [String: String], at now: Duration) -> Consequences {
        var consequences = Consequences()
        let before = standings
        let byName = Dictionary(before.indices.map { (before[$0].target.label, $0) }) { first, _ in first }
        var changed: [Target.ID] = []
        var kept: Set<Target.ID> = []
        self.settings = settings
        self.settings.targets = []
        keepAddresses(of: settings.targets)

        let after = rows(of: settings.targets).map { target in
            let capacity = Self.historyCapacity(of: target, covering: settings.history)
            let unresolved = target.withoutRow
            var position = byName[target.label].flatMap { before[$0].target.asksTheSame(as: target) ? $0 : nil }
            if position == nil, unresolved != target {
                position = byName[unresolved.label].flatMap { before[$0].target.asksTheSame(as: unresolved) ? $0 : nil }
                position = position ?? replaced[target.label].flatMap { byName[$0] }
            }
            guard let position else {
                let new = Standing(
                    id: Target.ID(nextID),
                    target: Shared(target),
                    history: History(capacity: capacity),
                    since: now
                )
                nextID += 1
                changed.append(new.id)
                return new
            }
            var standing = before[position]
            if !kept.insert(standing.id).inserted {
                standing = standing.copy(as: Target.ID(nextID))
                nextID += 1
            }
            if standing.target != target {
                standing.sharedTarget = Shared(target)
                standing.history.resize(to: capacity)
                standing.hookBook.keep(only: target.hooks)
                standing.pace = .usual
                changed.append(standing.id)
            }
            return standing
        }
        standings = Standings(after)
        edition += 1
        positions = TargetTable()
        for position in standings.indices { positions[standings[position].id] = position }

        let removed = before.map(\.id).filter { positions[$0] == nil }
        for standing in before where positions[standing.id] == nil {
            consequences.events += standing.armed.map {
                .disarmed(standing.id, $0, of: standing.target.label, .targetGone)
            }
        }
        if !removed.isEmpty { consequences.requests.append(.forget(removed)) }
        consequences.removed = removed
        endFlapping(at: now, into: &consequences)
        let freed = rebuildDependencies(at: now, into: &consequences)
        let assignments = changed.filter { !freed.contains($0) }.compactMap { assignment(of: $0) }
        if !assignments.isEmpty { consequences.requests.append(.watch(assignments)) }
        recountRecovery()
        for assignment in assignments {
            if let position = positions[assignment.id] { repace(position, at: now, into: &consequences) }
        }
        return consequences
    }

    /// Samples that cover `span` at the target's interval; never fewer than the statistics need.
    private static func historyCapacity(of target: Target, covering span: Duration) -> Int {
        min(100_000, max(Statistics.window, Int((span / target.interval).rounded(.up))))
    }

    // MARK: Findings

    /// Takes a batch of findings into account, in order. Findings of removed, paused and blocked targets are nobody's, even
    /// where they come when the target is asked again: of several targets, they may come in any order.
    public mutating func record(_ findings: [Finding]) -> Consequences {
        var consequences = Consequences()
        for finding in findings {
            switch finding {
            case .observation(let observation):
                guard let position = judged(observation) else { continue }
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
            case .addresses(let id, let addresses, let time):
                guard let position = judged(id) else { continue }
                record(addresses: addresses, of: position, at: time, into: &consequences)
            case .session(let id, let state, _, let time):
                guard let position = positions[id] else { continue }
                record(state, at: time, of: position, into: &consequences)
            case .link(let isUp, let time):
                recordLink(isUp: isUp, at: time, into: &consequences)
            case .stalled(let gap, let time):
                recordStall(of: gap, at: time, into: &consequences)
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
        if standings[position].session != state { standings[position].sessionSince = time }
        standings[position].session = state
        switch state {
        case .setup, .preparing, .cancelled:
            break
        case .ready, .waiting, .failed:
            guard standings[position].isAsked, standings[position].toldSession != state else { return }
            standings[position].toldSession = state
            consequences.events.append(.session(standings[position].id, state, at: time))
        }
    }

    /// Whether findings of the target count: the settings have it, and it is neither paused nor blocked.
    public func judges(_ id: Target.ID) -> Bool {
        judged(id) != nil
    }

    /// Whether a streak leads to another health of the target. Cheaper than to ask its ``Standing``.
    public func isPending(_ id: Target.ID) -> Bool {
        guard let position = positions[id] else { return false }
        return standings[position].pending != nil
    }

    /// Whether an observation counts: its target is judged, and was asked at that time.
    public func judges(_ observation: Observation) -> Bool {
        judged(observation) != nil
    }

    private func judged(_ observation: Observation) -> Int? {
        guard let position = judged(observation.target), observation.time >= standings[position].askedSince else {
            return nil
        }
        // The probe that found the addresses may have gone to another one than the row's.
        if case .only(let address) = standings[position].target.addresses, let probed = observation.address,
            probed != address
        {
            return nil
        }
        return position
    }

    private func judged(_ id: Target.ID) -> Int? {
        guard let position = positions[id], standings[position].isAsked else { return nil }
        return position
    }

    private mutating func record(
        _ observation: Observation,
        at position: Int,
        into consequences: inout Consequences
    ) {
        let id = observation.target
        let isLoss = observation.outcome.isLoss
        if case .fault(let fault) = observation.outcome, standings[position].fault != fault {
            consequences.events.append(.fault(id, fault))
        }
        let wasFaulty = standings[position].fault != nil
        let transition = standings[position].record(observation, holdsLosses: isLoss && needsVouchers(position))
        if case .fault = observation.outcome {
            if let transition { recordFaults(transition, of: position, into: &consequences) }
            // Whoever waits for its answer would wait in vain.
            return release(id, sent: observation.time, at: observation.time, into: &consequences)
        }
        if wasFaulty { consequences.events.append(.faultCleared(id)) }
        if isLoss { doubtParents(of: position, sent: observation.sent, into: &consequences) }
        // While the verdict waits, there is none on this probe.
        if standings[position].awaited.isEmpty {
            recordVerdict(transition, at: observation.time, of: position, into: &consequences)
        }
        if !isLoss {
            // What was blocked counts as up until it has lost enough; only its answer says that it is there.
            fireArmed(of: position, on: transition, at: observation.time, into: &consequences)
            release(id, sent: observation.sent, at: observation.time, into: &consequences)
        }
        repace(position, at: observation.time, into: &consequences)
    }

    /// Takes over that nothing is known of a target any more, or still, since it cannot be probed.
    private mutating func recordFaults(
        _ transition: Transition,
        of position: Int,
        into consequences: inout Consequences
    ) {
        guard transition.from != .unknown else { return fireHooks(of: position, on: transition, into: &consequences) }
        take(transition, of: position, into: &consequences)
        repace(position, at: transition.time, into: &consequences)
    }

    /// Takes a change of health over, with all that follows from it; `isTold` says whether hooks may be told.
    mutating func take(
        _ transition: Transition,
        of position: Int,
        isTold: Bool = true,
        into consequences: inout Consequences
    ) {
        let id = standings[position].id
        standings[position].awaited = []
        standings[position].count(until: transition.began, as: transition.from)
        standings[position].totals.record(transition)
        consequences.events.append(.transition(id, transition))
        if standings[position].isFlapping || !isTold {
            standings[position].hookBook.note(transition)
            standings[position].withheld = transition
        } else {
            fireHooks(of: position, on: transition, into: &consequences)
        }
        if transition.from == .down || transition.to == .down {
            follow(from: [id], at: transition.time, into: &consequences)
        }
    }

    // MARK: The user's wishes

    /// Switches targets off: nothing is sent to them, nothing is judged, no hook fires.
    public mutating func pause(_ ids: [Target.ID], at now: Duration) -> Consequences {
        var consequences = Consequences()
        var (paused, forgotten): ([Target.ID], [Target.ID]) = ([], [])
        for case let position? in ids.map({ positions[$0] }) where !standings[position].isPaused {
            let id = standings[position].id
            paused.append(id)
            if standings[position].isAsked { forgotten.append(id) }
            if standings[position].isFlapping {
                let share = standings[position].flapping?.share ?? 0
                consequences.events.append(.flapping(id, isFlapping: false, share: share, at: now))
            }
            standings[position].count(until: now)
            standings[position].pausedSince = now
            forgetPace(of: position)
            standings[position].leaveAlone()
            if owing.remove(id) != nil { standings[position].hookBook.forgetOwed() }
        }
        if !forgotten.isEmpty { consequences.requests.append(.forget(forgotten)) }
        if !paused.isEmpty { follow(from: paused, at: now, into: &consequences) }
        for id in paused { release(id, sent: now, at: now, into: &consequences) }
        return consequences
    }

    /// Switches paused targets on again: they are asked at once and start from unknown, their history kept. One that
    /// depends on something that is down is blocked instead.
    public mutating func resume(_ ids: [Target.ID], at now: Duration) -> Consequences {
        var consequences = Consequences()
        var resumed: [Target.ID] = []
        for case let position? in ids.map({ positions[$0] }) where standings[position].isPaused {
            standings[position].pausedSince = nil
            standings[position].blockedSince = now
            standings[position].askedSince = now
            standings[position].judge = Judge(since: now)
            standings[position].countedSince = now
            standings[position].flapping = nil
            standings[position].withheld = nil
            standings[position].hookBook.forgetHealth()
            resumed.append(standings[position].id)
        }
        ask(resumed.compactMap { assignment(of: $0) }, into: &consequences)
        if !resumed.isEmpty { follow(from: resumed, at: now, into: &consequences) }
        return consequences
    }

    /// Forgets the figures and the history of targets; their health stays.
    public mutating func reset(_ ids: [Target.ID], at now: Duration) {
        for case let position? in ids.map({ positions[$0] }) {
            standings[position].totals = Totals()
            standings[position].countedSince = now
            standings[position].history.removeAll()
        }
    }
}
