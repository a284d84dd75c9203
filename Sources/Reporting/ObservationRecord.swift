public import Monitoring

/// A probe's record as a JSON object of one line: what `watch --json --observations` writes besides. Its keys are a
/// contract: additions only.
public struct ObservationRecord: Sendable, Hashable, Encodable {
    let type = RecordType.observation
    let time: String
    let target: String
    /// Which of the target's probes this was, counted from one.
    let sequence: Int
    /// `reply`, `timeout`, `failure` or `fault`.
    let outcome: String
    var roundTripSeconds: Double?
    /// The parts of the round trip, in seconds, by the names of ``Phase``.
    var phases: [String: Double]?
    let address: String?
    var reason: String?
    /// What a person reads of the outcome.
    var detail: String?
    var problem: String?

    enum CodingKeys: String, CodingKey {
        case type, time, target, sequence, outcome, phases, address, reason, detail, problem
        case roundTripSeconds = "round_trip_seconds"
    }

    /// The record of an observation.
    ///
    /// - Parameters:
    ///   - name: what the target is called.
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

    /// The object on one line, its keys in alphabetical order. In it, no character stands as it is that a terminal
    /// would obey.
    public var json: String { jsonLine }
}
