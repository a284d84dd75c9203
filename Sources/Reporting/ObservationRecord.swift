public import Monitoring

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

    /// The object on one line, with sorted keys. Characters that a terminal would execute are escaped.
    public var json: String { jsonLine }
}
