public import ReachMonitoring

/// The state of a target as a JSON object, an element of `check --json`. The keys are stable: they are only ever added to.
/// Unknown values are absent.
public struct TargetRecord: Sendable, Hashable, Encodable {
    let target: String
    let url: String
    let group: String?
    let tags: [String]?
    /// `unknown`, `up`, `degraded` or `down`.
    let health: String
    /// When the newest probe ended that was sent, in RFC 3339 format.
    let time: String?
    /// The round trip of the newest probe, if it was answered.
    let roundTripSeconds: Double?
    /// The phases of that round trip in seconds, by the names of ``Phase``.
    let phases: [String: Double]?
    /// The stable name of the reason why the target is degraded; otherwise why it loses probes, `timeout` without an
    /// answer.
    let reason: String?
    /// The detail beside the health, in words.
    let detail: String?
    let address: String?
    /// Why it could not be probed, by the names of ``Fault/Problem``.
    let problem: String?
    /// The dependency that is down: the name of a target, or `link`.
    let blockedBy: String?
    /// Whether the user has paused it; absent if not.
    let paused: Bool?
    /// Whether there is planned work at it; absent if not.
    let maintenance: Bool?
    /// Finished probes, and those that were answered.
    let sent: Int
    let received: Int

    enum CodingKeys: String, CodingKey {
        case target, url, group, tags, health, time, phases, reason, detail, address, problem, paused, maintenance,
            sent,
            received
        case roundTripSeconds = "round_trip_seconds"
        case blockedBy = "blocked_by"
    }

    /// The record of the present state of a target.
    ///
    /// - Parameters:
    ///   - wall: the wall time of the program's start; nil to leave out the time of the probe.
    ///   - redaction: removes secrets.
    public init(_ state: TargetState, wall: WallTime? = nil, redaction: Redaction = .none) {
        let reply = state.answer
        target = redaction.label(of: state.target)
        url = redaction.url(of: state.target)
        group = redaction.group(of: state.target)
        tags = state.target.tags.nonEmpty
        health = state.health.rawValue
        time = wall.flatMap { wall in state.history.last.map { wall.timestamp(at: $0.time) } }
        roundTripSeconds = reply?.roundTrip?.microsecondPrecision
        phases = reply?.phases.bySeconds
        let isDegraded = state.health == .degraded
        reason = isDegraded ? state.failureReason : state.isLosing ? state.failure?.reason.rawValue ?? "timeout" : nil
        detail = (isDegraded ? state.resultRemark : state.remark).map(redaction.text)
        address = state.address.map(redaction.text)
        problem = state.fault?.problem.rawValue
        blockedBy = state.isBlocked ? (state.blockedBy?.name).map(redaction.label) : nil
        paused = state.isPaused ? true : nil
        maintenance = state.isInMaintenance ? true : nil
        sent = state.totals.sent
        received = state.totals.received
    }
}

/// The state of all targets as one JSON object, the output of `check --json`. The keys are stable: they are only ever added
/// to.
public struct TargetsRecord: Sendable, Hashable, Encodable {
    let targets: [TargetRecord]
    /// The number of targets that are up or degraded.
    let up: Int
    /// The number of targets that are degraded, which are also counted as up.
    let degraded: Int
    /// The number of targets that are down.
    let down: Int
    /// The number of unknown targets, which could not be probed.
    let unknown: Int

    /// The record of the present state of targets, in their order. Targets that another shard reports are left out.
    ///
    /// - Parameters:
    ///   - wall: the wall time of the program's start; nil to leave out the times of the probes.
    ///   - redaction: removes secrets; `.none` for the user's own terminal.
    public init(_ states: some Collection<TargetState>, wall: WallTime? = nil, redaction: Redaction = .none) {
        let states = states.filter { !$0.target.isOfOtherShard }
        targets = states.map { TargetRecord($0, wall: wall, redaction: redaction) }
        up = states.count { $0.health.isReachable }
        degraded = states.count { $0.health == .degraded }
        down = states.count { $0.health == .down }
        unknown = states.count { $0.health == .unknown }
    }
}

/// An observation as a JSON object, one line of `watch --json --observations`. The keys are stable: they are only ever added
/// to.
public struct ObservationRecord: Sendable, Hashable, Encodable {
    let type = RecordType.observation
    let time: String
    let target: String
    /// The number of the target's probe, counted from one.
    let sequence: Int
    /// `reply`, `timeout`, `failure` or `fault`.
    let outcome: String
    var roundTripSeconds: Double?
    /// The phases of the round trip in seconds, by the names of ``Phase``.
    var phases: [String: Double]?
    let address: String?
    var reason: String?
    /// The outcome in words.
    var detail: String?
    var problem: String?

    enum CodingKeys: String, CodingKey {
        case type, time, target, sequence, outcome, phases, address, reason, detail, problem
        case roundTripSeconds = "round_trip_seconds"
    }

    /// The record of an observation.
    ///
    /// - Parameters:
    ///   - name: the name of the target.
    ///   - wall: the wall time of the program's start.
    ///   - redaction: removes secrets from details.
    public init(
        _ observation: Observation,
        of name: String,
        wall: WallTime,
        redaction: Redaction = Redaction()
    ) {
        time = wall.timestamp(at: observation.time)
        target = name
        sequence = observation.sequence
        address = observation.address.map(redaction.text)
        switch observation.outcome {
        case .reply(let reply):
            outcome = "reply"
            roundTripSeconds = reply.roundTrip?.microsecondPrecision
            phases = reply.phases.bySeconds
            detail = reply.concern ?? reply.detail
        case .timeout:
            outcome = "timeout"
        case .failure(let failure):
            outcome = "failure"
            (reason, detail) = (failure.reason.rawValue, failure.detail)
        case .fault(let fault):
            outcome = "fault"
            (problem, detail) = (fault.problem.rawValue, fault.detail)
        }
        detail = detail.map(redaction.text)
    }
}
