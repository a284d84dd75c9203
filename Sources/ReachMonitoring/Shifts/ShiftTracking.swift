import ReachBasics

/// What a roster keeps to find lasting changes of round trips and losses.
struct ShiftTracking: Sendable {
    /// The detectors of targets that had a round trip.
    private var detectors = TargetMap<TargetShifts>()
    /// The hour of the day, 0…23, in local time, and times in it; nil before the wall time is known.
    private var hour: (number: Int, times: Range<Duration>)?
    /// The wall time of the program's start; nil before it is known.
    var wall: WallTime? {
        didSet { if wall != oldValue { hour = nil } }
    }
    /// The changes of levels that may have something in common.
    var recent = RecentShifts()

    /// The detectors of a target; nil before its first round trip.
    subscript(id: Target.ID) -> TargetShifts? {
        get { detectors[id] }
        set { detectors[id] = newValue }
    }

    /// Records a finished probe.
    mutating func record(_ observation: Observation, under settings: ShiftSettings) -> TargetShifts.Changes? {
        let roundTrip = observation.outcome.measuredRoundTrip
        let time = observation.time
        let hour = hour(at: time)
        let record = { (shifts: inout TargetShifts?) in
            shifts?.record(roundTrip: roundTrip, at: time, hour: hour, under: settings)
        }
        if let changes = detectors.update(observation.target, record) { return changes }
        guard roundTrip != nil else { return nil }
        detectors[observation.target] = TargetShifts()
        return detectors.update(observation.target, record)
    }

    /// Drops what was seen of changes of targets that are not certain yet.
    mutating func interrupt(_ ids: some Sequence<Target.ID>) {
        for id in ids { _ = detectors.update(id) { $0?.interrupt() } }
    }

    /// Takes the level of a target as reported.
    mutating func rebase(_ id: Target.ID) {
        _ = detectors.update(id) { $0?.rebase() }
    }

    mutating func remove(_ ids: [Target.ID]) {
        for id in ids { _ = detectors.remove(id) }
        recent.remove(ids)
    }

    private mutating func hour(at time: Duration) -> Int? {
        if let hour, hour.times.contains(time) { return hour.number }
        guard let wall else { return nil }
        let seconds = wall.zone.local(wall.start + time).flooredSeconds
        let number = Int(seconds.floorDivided(by: 3_600).floorRemainder(by: 24))
        let start = time - .seconds(seconds.floorRemainder(by: 3_600))
        // A change of the offset is seen within a minute.
        hour = (number, time..<min(start + .seconds(3_600), time + .seconds(60)))
        return number
    }
}

extension Outcome {
    /// The round trip of a reply; nil without one.
    fileprivate var measuredRoundTrip: Duration? {
        if case .reply(let reply) = self { reply.roundTrip } else { nil }
    }
}
