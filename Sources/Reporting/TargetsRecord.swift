public import Monitoring

/// What is known of all targets now, as one JSON object: what `check --json` writes. Its keys are a contract: additions
/// only.
public struct TargetsRecord: Sendable, Hashable, Encodable {
    let targets: [TargetRecord]
    /// How many answer, degraded ones among them.
    let up: Int
    /// How many do not.
    let down: Int
    /// How many nothing is known of: they could not be asked.
    let unknown: Int

    /// The record of targets as they stand, in their order.
    ///
    /// - Parameter redaction: removes secrets; none for the user's own terminal.
    public init(_ standings: some Collection<Standing>, redaction: Redaction = .none) {
        targets = standings.map { TargetRecord($0, redaction: redaction) }
        up = standings.count { $0.health.isReachable }
        down = standings.count { $0.health == .down }
        unknown = standings.count { $0.health == .unknown }
    }

    /// The object on one line, its keys in alphabetical order. In it, no character stands as it is that a terminal
    /// would obey.
    public var json: String { jsonLine }
}
