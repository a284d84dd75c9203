/// The state of all targets.
///
/// The roster is a pure reducer: settings, findings and user commands go in, and ``Consequences`` come out. It reads no
/// clock and performs no I/O; time is an argument, counted from the start of the program.
public struct Roster: Sendable {
    /// The targets in the order of the settings.
    public internal(set) var states = TargetStates()
    /// Incremented when settings are applied.
    public private(set) var edition = 0
    var positions = TargetMap<Int>()
    var dependencies = DependencyGraph()
    /// Whether this machine has an uplink; nil before that is known.
    var hasUplink: Bool?
    /// The budget for additional probes of targets that are down.
    var recovery = RecoveryBudget()
    /// The current settings without their targets, which are in the rows.
    private(set) var settings = Settings(targets: [])
    /// The targets that have a row for each address, by label, once resolved.
    var resolved: [String: ResolvedTarget] = [:]
    /// The targets that are read from servers.
    var fleet: [Target] = []
    /// Their identities by name.
    var fleetIDs: [String: Target.ID] = [:]
    /// The edition that they are of.
    var fleetEdition = 0
    private var nextID: Int
    /// How long an outage is probed at `down_interval`; nil for all of it.
    let recoverySpan: Duration?
    var nextRun = 1
    var nextArmed = 1
    /// The targets with a report that a cooldown defers.
    var deferringTargets: Set<Target.ID> = []
    /// Whether hook rules run here. Otherwise, another process runs them, and their state is kept as if they had run.
    package var runsHooks = true
    /// When a path was found to end at a place where none did just before.
    var cuts: [PathCut: Duration] = [:]
    /// The maintenance windows of the settings.
    var maintenance = MaintenancePlan()
    /// How the probers keep the schedule.
    public internal(set) var schedule = ScheduleState()
    /// The past conditions of the targets; nil if they are not kept.
    var timeline: Timeline?
    /// The common causes of outages; nil if they are not searched for.
    var causes: CauseTracking?
    /// The detectors of lasting changes of round trips and losses; nil if they are not searched for.
    var shifts: ShiftTracking?
    /// Whether an outage of the own side blocks the targets beyond it, if the settings ask for it.
    let watchesSides: Bool
    /// What is known about the way to the far side; nil if that is not watched.
    package internal(set) var sideWatch: SideWatch?
    /// The vantage points of the targets of the fleet.
    package internal(set) var vantage = VantageDirectory()

    /// Creates a roster without targets.
    ///
    /// - Parameters:
    ///   - firstID: the first target's number. Rosters that share an engine need distinct numbers.
    ///   - recoverySpan: how long an outage is probed at the target's `downInterval`; nil for all of it.
    ///   - keepsPast: whether ``rewound(to:)`` is possible, for which the conditions of targets are kept.
    public init(
        firstID: Int = 0,
        recoverySpan: Duration? = Roster.defaultRecoverySpan,
        keepsPast: Bool = false
    ) {
        self.init(firstID: firstID, recoverySpan: recoverySpan, keepsPast: keepsPast, watchesSides: false)
    }

    /// Creates a roster without targets, as the public initializer does.
    ///
    /// - Parameter watchesSides: whether targets are blocked while the way to them is interrupted on the own side, if the
    ///   settings ask for it.
    package init(
        firstID: Int = 0,
        recoverySpan: Duration? = Roster.defaultRecoverySpan,
        keepsPast: Bool = false,
        watchesSides: Bool
    ) {
        nextID = firstID
        self.recoverySpan = recoverySpan
        self.watchesSides = watchesSides
        timeline = keepsPast ? Timeline() : nil
    }

    /// The state of a target; nil when it was removed from the settings.
    public subscript(id: Target.ID) -> TargetState? {
        positions[id].map { states[$0] }
    }

    /// The position of a target in ``states``; nil when it was removed from the settings.
    public func position(of id: Target.ID) -> Int? {
        positions[id]
    }

    /// The targets of the settings.
    public var targets: [Target] {
        var targets: [Target] = []
        for state in states {
            // The rows of one target are adjacent.
            let target = state.target.withoutRow
            if target.label != targets.last?.label { targets.append(target) }
        }
        return targets
    }

    /// The current settings.
    var currentSettings: Settings {
        var settings = settings
        settings.targets = targets
        return settings
    }

    /// The assignments of all targets that are probed now.
    public var assignments: [ProbeRequest.Assignment] {
        states.compactMap { assignment(of: $0.id) }
    }

    // MARK: Settings

    /// Applies new settings. A target with the same name, or the name before, and the same question and family keeps its
    /// identity, history and health; others are added or removed. The rows of a name's addresses start with the state
    /// from before it was resolved.
    public mutating func apply(_ settings: Settings, at now: Duration) -> Consequences {
        var settings = settings
        settings.targets += fleet
        return apply(settings, replacing: [:], at: now)
    }

    /// Applies new settings, where new rows may take over the state of others.
    ///
    /// - Parameter replaced: the labels of the rows whose state new rows take over, by the labels of the new rows.
    mutating func apply(_ settings: Settings, replacing replaced: [String: String], at now: Duration) -> Consequences {
        var consequences = Consequences()
        let before = states
        let byName = Dictionary(before.indices.map { (before[$0].target.label, $0) }) { first, _ in first }
        var changed: [Target.ID] = []
        var kept: Set<Target.ID> = []
        self.settings = settings
        self.settings.targets = []
        maintenance.windows = settings.maintenance
        keepAddresses(of: settings.targets)

        let rows = rows(of: settings.targets).map(\.withinLimits)
        let capacities = rows.map { Self.historyCapacity(of: $0, covering: settings.history) }
        let isPacked = Self.packsSamples(capacities)
        var after = zip(rows, capacities).map { target, capacity in
            let unresolved = target.withoutRow
            let find = { (target: Target, label: String?) in
                label.flatMap { byName[$0] }.flatMap { before[$0].target.probesTheSame(as: target) ? $0 : nil }
            }
            var position = find(target, target.label) ?? find(target, target.formerLabel)
            if position == nil, unresolved != target {
                position = find(unresolved, unresolved.label) ?? find(unresolved, unresolved.formerLabel)
                position = position ?? replaced[target.label].flatMap { byName[$0] }
            }
            guard let position else {
                let new = TargetState(
                    id: Target.ID(nextID),
                    target: Shared(target),
                    history: SampleHistory(capacity: capacity, reservesMemory: target.question.method.probes),
                    since: now
                )
                nextID += 1
                changed.append(new.id)
                timeline?.add(new.id, at: edition == 0 ? .zero : now)
                return new
            }
            var state = before[position]
            if !kept.insert(state.id).inserted {
                state = state.copy(as: Target.ID(nextID))
                nextID += 1
                timeline?.add(state.id, at: now)
            }
            if state.target != target {
                state.sharedTarget = Shared(target)
                state.history.resize(to: capacity)
                state.hookTracker.keep(only: target.hooks)
                state.pace = .usual
                changed.append(state.id)
            }
            return state
        }
        for index in after.indices { after[index].history.setPacking(isPacked) }
        states = TargetStates(after)
        edition += 1
        findPositions()

        let removed = before.map(\.id).filter { positions[$0] == nil }
        for state in before where positions[state.id] == nil {
            for hook in state.armed {
                consequences.report(.disarmed(hook, of: state.target.label, .targetGone), of: [state.id], at: now)
            }
        }
        if !removed.isEmpty { consequences.requests.append(.forget(removed)) }
        let untraced = before.filter { positions[$0.id] == nil && $0.path?.address != nil }.map(\.id)
        if !untraced.isEmpty { consequences.paths.append(.end(untraced)) }
        for case let position? in changed.map({ positions[$0] }) { tracePath(of: position, into: &consequences) }
        consequences.removed = removed
        timeline?.forget(removed)
        causes?.noteRemoved(removed)
        for id in changed { causes?.noteRisks(of: id) }
        applyShifts(to: changed, before: before, removed: removed)
        if !removed.isEmpty { vantage.recount(states) }
        for case let position? in changed.map({ positions[$0] }) { remember(position, at: now) }
        endFlapping(at: now, into: &consequences)
        let freed = rebuildDependencies(at: now, into: &consequences)
        applySides(removed: removed, at: now, into: &consequences)
        let assignments = changed.filter { !freed.contains($0) }.compactMap { assignment(of: $0) }
        if !assignments.isEmpty { consequences.requests.append(.watch(assignments)) }
        recountRecovery()
        for assignment in assignments {
            if let position = positions[assignment.id] { repace(position, at: now, into: &consequences) }
        }
        concludeCauses(at: now, into: &consequences)
        return consequences
    }

    /// Maps the identities of the targets to their positions.
    mutating func findPositions() {
        positions = TargetMap()
        for position in states.indices { positions[states[position].id] = position }
    }

    // MARK: Findings

    /// Records a batch of findings, in order. Findings of removed, paused and blocked targets are ignored. That
    /// includes earlier ones that arrive after the target is probed again: findings of several targets may arrive in
    /// any order.
    public mutating func record(_ findings: [Finding]) -> Consequences {
        var consequences = Consequences()
        for finding in findings {
            switch finding {
            case .observation(let observation):
                guard let position = judgedPosition(of: observation) else { continue }
                record(observation, at: position, into: &consequences)
            case .late(let id, let roundTrip, let sent):
                if let position = judgedPosition(of: id) {
                    states[position].recordLate(roundTrip: roundTrip, sent: sent)
                }
            case .duplicate(let id):
                if let position = judgedPosition(of: id) { states[position].totals.duplicate += 1 }
            case .addressChanged(let id, let old, let new, let time):
                guard let position = judgedPosition(of: id) else { continue }
                states[position].address = new
                causes?.noteRisks(of: id)
                remember(position, at: time)
                consequences.report(.addressChanged(from: old, to: new), of: [id], at: time)
                fireAddressHooks(of: position, from: old, to: new, at: time, into: &consequences)
            case .addresses(let id, let addresses, let time):
                guard let position = judgedPosition(of: id) else { continue }
                record(addresses: addresses, of: position, at: time, into: &consequences)
            case .session(let id, let state, _, let time):
                guard let position = positions[id] else { continue }
                record(state, at: time, of: position, into: &consequences)
            case .vantageReports(let id, let reports, let time):
                guard let position = positions[id] else { continue }
                record(reports, of: position, at: time, into: &consequences)
            case .vantagePointsReporting(let names, let time):
                vantage.recordReporting(names, at: time)
            case .link(let isUp, let time):
                recordLink(isUp: isUp, at: time, into: &consequences)
            case .path(let id, let finding, let time):
                guard let position = positions[id] else { continue }
                record(finding, at: time, of: position, into: &consequences)
            case .schedule(let report, let lane, let time):
                record(report, of: lane, at: time, into: &consequences)
            case .stalled(let gap, let time):
                recordStall(of: gap, at: time, into: &consequences)
            }
        }
        concludeCauses(after: findings, into: &consequences)
        compareShifts(after: findings, into: &consequences)
        return consequences
    }

    /// Whether findings of the target count: it is in the settings, and neither paused nor blocked.
    public func judges(_ id: Target.ID) -> Bool {
        judgedPosition(of: id) != nil
    }

    /// Whether an observation counts: its target is judged, and was probed at that time.
    public func judges(_ observation: Observation) -> Bool {
        judgedPosition(of: observation) != nil
    }

    private func judgedPosition(of observation: Observation) -> Int? {
        guard let position = judgedPosition(of: observation.target), observation.time >= states[position].probedSince
        else {
            return nil
        }
        // The probe that resolved the name may have gone to another address than the row's.
        if case .only(let address) = states[position].target.addresses, let probed = observation.address,
            probed != address
        {
            return nil
        }
        return position
    }

    private func judgedPosition(of id: Target.ID) -> Int? {
        guard let position = positions[id], states[position].isProbed else { return nil }
        return position
    }

    mutating func record(
        _ observation: Observation,
        at position: Int,
        into consequences: inout Consequences
    ) {
        guard followSides(observation, at: position, into: &consequences) else { return }
        let id = observation.target
        let isLoss = observation.outcome.isLoss
        let wasLosing = states[position].judge.isLosing
        let peerBefore = causes == nil ? nil : states[position].peer
        let waitsForSides = isLoss && mustWaitForSides(position, observation.outcome)
        if case .fault(let fault) = observation.outcome, states[position].fault != fault {
            consequences.report(.fault(fault), of: [id], at: observation.time)
        }
        let faultBefore = states[position].fault
        let transition = states[position].record(
            observation,
            defersVerdict: waitsForSides || isLoss && mustWaitForParents(position)
        )
        followAddress(of: position, into: &consequences)
        followLevel(of: position, observation, into: &consequences)
        if isLoss || wasLosing { causes?.noteCondition(of: id) }
        if let peerBefore, states[position].peer != peerBefore { causes?.noteRisks(of: id) }
        if isLoss { suspectPath(of: position, at: observation.time, into: &consequences) }
        if states[position].fault != faultBefore {
            remember(position, at: observation.time)
        } else {
            rememberAnswer(of: position, at: observation.time)
        }
        if case .fault = observation.outcome {
            if let transition { recordFaults(transition, of: position, into: &consequences) }
            // Verdicts that wait for this target would wait in vain.
            return concludeVerdicts(awaiting: id, sent: observation.time, at: observation.time, into: &consequences)
        }
        if faultBefore != nil, states[position].fault == nil {
            consequences.report(.faultCleared, of: [id], at: observation.time)
        }
        if isLoss { probeParents(of: position, sent: observation.sent, into: &consequences) }
        // A verdict that waits for parents is not given here.
        if states[position].awaitedParents.isEmpty {
            if !waitsForSides {
                recordVerdict(transition, at: observation.time, of: position, into: &consequences)
            } else if !holdDueVerdict(on: position, because: observation, into: &consequences) {
                let verdict = states[position].concludeLosses(at: observation.time)
                recordVerdict(verdict, at: observation.time, of: position, into: &consequences)
            }
            reportDeferred(position, at: observation.time, into: &consequences)
        }
        if !isLoss {
            // A target that was blocked keeps its health until it loses enough probes. Only its reply shows that it is
            // reachable.
            fireArmed(of: position, on: transition, at: observation.time, into: &consequences)
            fireActions(of: position, at: observation.time, into: &consequences)
            concludeVerdicts(awaiting: id, sent: observation.sent, at: observation.time, into: &consequences)
        }
        repace(position, at: observation.time, into: &consequences)
        followNear(observation, at: position, into: &consequences)
    }

    /// Applies a transition to unknown, or a repeated one, since the target cannot be probed.
    private mutating func recordFaults(
        _ transition: Transition,
        of position: Int,
        into consequences: inout Consequences
    ) {
        guard transition.from != .unknown else {
            return fireHooks(of: position, on: transition, into: &consequences)
        }
        apply(transition, of: position, into: &consequences)
        repace(position, at: transition.time, into: &consequences)
    }

    /// Applies a transition with its consequences.
    mutating func apply(
        _ transition: Transition,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let id = states[position].id
        let transition = withPath(transition, of: position, into: &consequences)
        states[position].awaitedParents = []
        states[position].count(transition)
        remember(position, at: transition.time)
        consequences.report(.transition(transition), of: [id], at: transition.time)
        fireHooks(of: position, on: transition, into: &consequences)
        if transition.from == .down || transition.to == .down {
            updateDependents(of: [id], at: transition.time, into: &consequences)
        }
    }
}
