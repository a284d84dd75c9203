public import Monitoring

/// What is known of a target now, as a JSON object: an element of what `check --json` writes. Its keys are a contract:
/// additions only. What is not known, or does not apply, is absent.
public struct TargetRecord: Sendable, Hashable, Encodable {
    let target: String
    let url: String
    let group: String?
    /// `unknown`, `up`, `degraded` or `down`.
    let health: String
    /// Of the newest probe, if it was answered.
    let roundTripSeconds: Double?
    /// The parts of that round trip, in seconds, by the names of ``Phase``.
    let phases: [String: Double]?
    /// The stable name of what the newest probe failed by; `timeout` where nothing came.
    let reason: String?
    /// What a person reads beside the health.
    let detail: String?
    let address: String?
    /// Why it could not be asked, by the names of ``Fault/Problem``.
    let problem: String?
    /// What is down that it depends on: the name of a target, or `link`.
    let blockedBy: String?
    /// Whether the user has switched it off; absent unless so.
    let paused: Bool?
    /// Finished probes, and those that were answered.
    let sent: Int
    let received: Int

    enum CodingKeys: String, CodingKey {
        case target, url, group, health, phases, reason, detail, address, problem, paused, sent, received
        case roundTripSeconds = "round_trip_seconds"
        case blockedBy = "blocked_by"
    }

    /// The record of a target as it stands.
    public init(_ standing: Standing, redaction: Redaction = .none) {
        let reply = standing.answer
        target = redaction.label(of: standing.target)
        url = redaction.url(of: standing.target)
        group = redaction.group(of: standing.target)
        health = standing.health.rawValue
        roundTripSeconds = reply?.roundTrip?.microsecondPrecision
        phases = reply?.phases.bySeconds
        reason = standing.isLosing ? standing.failure?.reason.rawValue ?? "timeout" : nil
        detail = standing.remark.map(redaction.text)
        address = standing.address.map(redaction.text)
        problem = standing.fault?.problem.rawValue
        blockedBy = standing.isBlocked ? (standing.blockedBy?.name).map(redaction.label) : nil
        paused = standing.isPaused ? true : nil
        sent = standing.totals.sent
        received = standing.totals.received
    }
}
