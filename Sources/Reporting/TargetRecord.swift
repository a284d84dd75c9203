public import Monitoring

/// The state of a target as a JSON object, an element of `check --json`. The keys are stable: they are only ever added to.
/// Unknown values are absent.
public struct TargetRecord: Sendable, Hashable, Encodable {
    let target: String
    let url: String
    let group: String?
    let tags: [String]?
    /// `unknown`, `up`, `degraded` or `down`.
    let health: String
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
        case target, url, group, tags, health, phases, reason, detail, address, problem, paused, maintenance, sent,
            received
        case roundTripSeconds = "round_trip_seconds"
        case blockedBy = "blocked_by"
    }

    /// The record of the present state of a target.
    public init(_ state: TargetState, redaction: Redaction = .none) {
        let reply = state.answer
        target = redaction.label(of: state.target)
        url = redaction.url(of: state.target)
        group = redaction.group(of: state.target)
        tags = state.target.tags.nonEmpty
        health = state.health.rawValue
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
