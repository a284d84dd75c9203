import Monitoring

/// A client of a prober, with its own range of target identities. It receives the findings about those targets.
struct ProberClient: Sendable {
    /// The size of the range: how many identities a client can use before they collide with those of the next one.
    private static let capacity = 1 << 32

    let number: Int
    let prober: Prober

    /// The first identity of the range.
    var firstID: Int { number * Self.capacity }

    /// The number of the client that a target belongs to.
    static func number(of id: Target.ID) -> Int { id.rawValue / capacity }

    /// Sends requests to the backend.
    func perform(_ requests: [ProbeRequest]) {
        prober.perform(requests)
    }

    /// Stops the client: its targets are no longer probed, and it receives no more findings.
    func stop(forgetting ids: [Target.ID]) {
        prober.stop(number, forgetting: ids)
    }
}

extension Finding {
    /// The target that the finding is about; nil for one about the whole machine.
    var target: Target.ID? {
        switch self {
        case .observation(let observation): observation.target
        case .late(let id, _, _), .duplicate(let id), .addressChanged(let id, _, _, _), .addresses(let id, _, _),
            .session(let id, _, _, _), .vantageReports(let id, _, _):
            id
        case .link, .schedule, .stalled, .vantagePointsReporting: nil
        }
    }
}
