import ReachMonitoring

/// The state machine of a session: findings about its connection go in, states of the session come out.
struct SessionModel: SubscriptionModel {
    typealias Event = Session.State

    private(set) var state = Session.State.setup
    private let target: Target
    /// The identity of the target: a new one for each run, so that late findings of an earlier run are ignored.
    private var id: Target.ID
    /// Whether the prober has reported a state of the connection. Before that, the name has no address yet.
    private var hasConnection = false
    /// Why no packet can leave this machine; nil where one can.
    private var routeFailure: Failure?

    init(_ target: Target, id: Target.ID) {
        self.target = target
        self.id = id
    }

    /// Whether the connection is established.
    var isOnline: Bool {
        if case .ready = state { true } else { false }
    }

    mutating func start(link: Finding?, at now: Duration) -> Step {
        guard state == .setup else { return Step() }
        state = .preparing
        if let link { _ = record([link]) }
        return Step(events: [state], requests: [.watch([ProbeRequest.Assignment(id: id, target: target)])])
    }

    mutating func stop(at now: Duration) -> [Target.ID] {
        let stopped = id
        if state != .cancelled { self = SessionModel(target, id: Target.ID(id.rawValue + 1)) }
        return [stopped]
    }

    /// Ends the session for good.
    mutating func cancel() -> Step {
        enter(.cancelled)
    }

    mutating func record(_ findings: [Finding]) -> Step {
        var step = Step()
        guard state != .setup else { return step }
        for finding in findings { step.append(record(finding)) }
        return step
    }

    private mutating func record(_ finding: Finding) -> Step {
        switch finding {
        case .session(id, let state, let address, _):
            return record(state, address: address)
        case .observation(let observation):
            // The states of a connection are reported on their own. An observation can be about an earlier one.
            guard observation.target == id, !hasConnection, !observation.outcome.isReply else { return Step() }
            return enter(routeFailure.map { .waiting($0) } ?? .failed(observation.outcome))
        case .link(let isUp, _):
            routeFailure = isUp ? nil : Failure(.networkUnreachable, detail: "no uplink")
            return Step()
        case .session, .late, .duplicate, .addressChanged, .addresses, .path, .schedule, .stalled, .vantageReports,
            .vantagePointsReporting:
            return Step()
        }
    }

    private mutating func record(_ state: SessionState, address: String?) -> Step {
        let isFirst = !hasConnection
        hasConnection = true
        return switch state {
        case .setup, .cancelled: Step()
        case .preparing: enter(.preparing, pacing: isFirst)
        case .waiting(let failure): enter(.waiting(failure), pacing: isFirst)
        case .ready: enter(.ready(address: address ?? ""), pacing: isFirst)
        case .failed(let cause): enter(.failed(cause), pacing: isFirst)
        }
    }

    /// Enters a state and, with `pacing`, sets the interval of lookups and heartbeats: a name without an address is
    /// looked up more often. The prober itself makes the next connection.
    private mutating func enter(_ new: Session.State, pacing: Bool = true) -> Step {
        guard state != new, state != .cancelled else { return Step() }
        state = new
        guard pacing, state != .cancelled else { return Step(events: [new]) }
        let interval = hasConnection ? target.interval : target.retryInterval
        return Step(events: [new], requests: [.pace(id, interval: interval)])
    }
}
