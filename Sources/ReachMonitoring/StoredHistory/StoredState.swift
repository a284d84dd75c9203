/// What the history has of a target's state and path around a moment before the start of the program. Times are since that, and
/// negative.
struct StoredState: Sendable {
    /// The paths, oldest first.
    private(set) var paths: [StoredPath] = []
    /// The events that the state follows from, oldest first. Their times are since the start of the program.
    private var events: [HistoryEvent] = []
    /// The health before the first change that is known.
    private var first = Health.unknown

    /// The newest path until a time; nil without one.
    func path(at time: Duration) -> StoredPath? { paths.last { $0.time <= time } }

    /// Lets a target have the state of a time.
    func apply(to target: inout TargetState, at time: Duration) {
        if let path = path(at: time) { target.path = TargetPath(path) }
        if first != .unknown { target.judge = Judge(first, since: time) }
        for event in events.prefix(while: { $0.time <= time }) { target.apply(event) }
    }

    /// Adds an event of the target, which is later than those that were added before.
    mutating func add(_ event: HistoryEvent, startingAt start: Duration) {
        if event.kind == .transition, !events.contains(where: { $0.kind == .transition }) {
            first = event.from ?? .unknown
        }
        var event = event
        event.time -= start
        event.since = event.since.map { $0 - start }
        events.append(event)
    }

    /// Adds paths, oldest first, each with the hops when the path last reached the target before.
    mutating func add(_ stored: [StoredPath], startingAt start: Duration) {
        var before: [String?] = []
        for found in stored {
            let path = TracedPath(end: found.path.end, hops: found.path.hops, before: before)
            paths.append(StoredPath(path, at: found.time - start))
            if found.path.end.isReached { before = found.path.hops }
        }
        // Those of another process that writes the history now are later.
        paths.removeAll { $0.time >= .zero }
    }
}

extension TargetState {
    /// Continues with a stored event. Its times are since the start of the program.
    fileprivate mutating func apply(_ event: HistoryEvent) {
        switch event.kind {
        case .transition: apply(transition: event)
        case .paused: set(\.pausedSince, to: event.time)
        case .resumed:
            set(\.pausedSince, to: nil)
            set(\.blockedBy, to: nil)
        case .blocked:
            set(\.blockedBy, to: event.detail.map(Blocker.init(stored:)))
            blockedSince = event.time
        case .unblocked: set(\.blockedBy, to: nil)
        case .acknowledged:
            acknowledgement = Acknowledgement(reason: event.detail ?? "", since: event.time, length: event.length)
        case .acknowledgementEnded: acknowledgement = nil
        case .maintenance:
            maintenance = Maintenance(name: event.detail, since: event.time, until: event.time, healthBefore: health)
        case .maintenanceEnded: maintenance = nil
        case .flapping: flapping = .stored
        case .flappingEnded: flapping = nil
        case .fault:
            let problem = event.reason.flatMap { Fault.Problem(rawValue: $0) }
            set(\.fault, to: Fault(problem ?? .internal, detail: event.detail ?? ""))
        case .faultCleared: set(\.fault, to: nil)
        case .address: address = event.detail.map { String($0.prefix { $0 != "," }) }
        case .added, .removed, .path, .traced, .cause, .commonCause, .shift, .hook, .stalled, .clock: break
        }
    }

    private mutating func apply(transition event: HistoryEvent) {
        let health = event.to ?? .unknown
        let reason = event.reason.flatMap { Reason(rawValue: $0) }
        let failure = health == .down ? reason.map { Failure($0, detail: event.detail) } : nil
        judge = Judge(health, since: event.since ?? event.time, failure: failure)
        set(\.blockedBy, to: nil)
        lastReply = nil
        guard health == .degraded else { return }
        var reply = Reply(roundTrip: nil)
        reply.concern = event.detail
        lastReply = reply
    }
}

extension Blocker {
    /// The blocker of a stored event.
    fileprivate init(stored name: String) {
        self = name == Dependency.linkName ? .link : .target(name)
    }
}

extension Roster {
    /// The roster with the past that the history has around a moment, in place of its own. It can be rewound to that moment.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package func restored(to moment: StoredMoment, wall: WallTime) -> Roster {
        var past = self
        past.timeline = Timeline()
        past.causes = CauseTracking()
        var kept: [TargetState] = []
        let later = Dictionary(grouping: moment.events.filter { $0.event.time > moment.time }) { $0.target }
        for state in states {
            guard let stored = moment.targets[state.id] else { continue }
            var state = state
            // Samples in memory are more exact than minutes.
            let first = moment.time - StoredMoment.minutesBefore - wall.start
            if state.history.first.map({ $0.time > first }) ?? true {
                let downTimes = DownTimes(stored.events + (later[state.id] ?? []).map(\.event))
                state.history = SampleHistory(stored.minutes, downTimes, wall: wall)
            }
            var own = StoredState()
            for event in stored.events { own.add(event, startingAt: wall.start) }
            own.add(stored.paths, startingAt: wall.start)
            past.timeline?.restore(own, of: state.id)
            kept.append(state)
        }
        past.states = TargetStates(kept)
        past.findPositions()
        return past
    }
}
