// The detectors of shifts see each finished probe. What they find is reported, and changes no health.
extension Roster {
    /// Whether lasting changes of round trips and losses are found.
    package var findsShifts: Bool {
        get { shifts != nil }
        set {
            guard newValue != findsShifts else { return }
            shifts = newValue ? ShiftTracking() : nil
        }
    }

    /// Notes the wall time of the program's start, by the present clock: levels are compared with those of the same hour of
    /// other days.
    package mutating func noteWall(_ wall: WallTime) {
        guard shifts != nil, shifts?.wall != wall else { return }
        shifts?.wall = wall
    }

    /// The round-trip level of a target; nil before 30 replies, and if it is not followed.
    package func level(of id: Target.ID) -> Duration? { shifts?[id]?.level.level }

    /// Records a finished probe in the detectors of its target.
    mutating func followLevel(of position: Int, _ observation: Observation, into consequences: inout Consequences) {
        guard shifts != nil, let settings = states[position].target.shifts else { return }
        if case .fault = observation.outcome { return }
        guard let changes = shifts?.record(observation, under: settings) else { return }
        let time = observation.time
        if let shift = changes.level { record(shift, of: position, at: time, into: &consequences) }
        if let shift = changes.loss { record(shift, of: position, under: settings, at: time, into: &consequences) }
    }

    private mutating func record(
        _ found: LevelShift,
        of position: Int,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        var shift = found
        shift.hop = states[position].hopChanged(near: shift.began)
        if shift.isCorrection, shift.ends == nil { shift.others = states[position].levelShift?.others }
        states[position].levelShift = shift
        shifts?.recent.add(shift, of: states[position].id, interval: states[position].target.interval)
        remember(position, at: time)
        // Another path may be the reason.
        if shift.hop == nil, shift.ends == nil, states[position].path?.address != nil {
            consequences.paths.append(.soon(states[position].id))
        }
        report(.level(shift), of: position, at: time, into: &consequences)
    }

    private mutating func record(
        _ found: LossShift,
        of position: Int,
        under settings: ShiftSettings,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let shift = found.following(states[position].lossShift, under: settings)
        states[position].lossShift = shift
        remember(position, at: time)
        report(.loss(shift), of: position, at: time, into: &consequences)
    }

    private mutating func report(
        _ news: ShiftNews,
        of position: Int,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        consequences.report(.shift(news), of: [states[position].id], at: time)
        fireShiftHooks(of: position, on: news, at: time, into: &consequences)
    }

    /// Adds another router on the path to the shift that began at about the same time.
    mutating func relateShift(of position: Int, at time: Duration) {
        guard var shift = states[position].levelShift, shift.ends == nil, shift.hop == nil,
            let hop = states[position].hopChanged(near: shift.began)
        else { return }
        shift.hop = hop
        states[position].levelShift = shift
        remember(position, at: time)
    }

    /// Drops what was seen of changes that are not certain yet, since probing of these targets was interrupted.
    mutating func interruptShifts(of ids: some Sequence<Target.ID>) {
        shifts?.interrupt(ids)
    }

    /// Takes over changed settings of targets: more sensitive ones do not report earlier changes.
    mutating func applyShifts(to changed: [Target.ID], before: TargetStates, removed: [Target.ID]) {
        guard shifts != nil else { return }
        shifts?.remove(removed)
        let old = Dictionary(before.map { ($0.id, $0.target.shifts) }) { $1 }
        for case let position? in changed.map({ positions[$0] }) {
            let id = states[position].id
            guard let settings = states[position].target.shifts else {
                shifts?.remove([id])
                (states[position].levelShift, states[position].lossShift) = (nil, nil)
                continue
            }
            if let before = old[id], before != settings { shifts?.rebase(id) }
        }
    }
}

extension TargetState {
    /// The last change of the round-trip level that was reported; nil without one.
    package internal(set) var levelShift: LevelShift? {
        get { rare?.value.levelShift }
        set { set(\.levelShift, to: newValue) }
    }

    /// The last change of the loss rate that was reported; nil without one.
    package internal(set) var lossShift: LossShift? {
        get { rare?.value.lossShift }
        set { set(\.lossShift, to: newValue) }
    }

    /// The changes of the usual round trips and losses that last. What lasts for a day is usual.
    package func lastingShifts(at now: Duration) -> [ShiftNews] {
        let oldest = now - .seconds(86_400)
        var news: [ShiftNews] = []
        if let shift = levelShift, shift.ends == nil, shift.began > oldest { news.append(.level(shift)) }
        if let shift = lossShift, shift.ends == nil, shift.began > oldest { news.append(.loss(shift)) }
        return news
    }

    /// The hop at which another router answers, if that may have begun at a time: between the last trace that found the
    /// router before, and the one that found the other.
    func hopChanged(near time: Duration) -> Int? {
        guard let path, let span = path.changeSpan, let hop = path.changedHop else { return nil }
        return (span.lowerBound - Self.tracingTime...span.upperBound + Self.tracingTime).contains(time) ? hop : nil
    }

    /// A trace is done some seconds after its probes, and routers need as long until all agree on a path.
    private static let tracingTime = Duration.seconds(10)
}
