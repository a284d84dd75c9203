public import Monitoring

/// The state of all targets as one JSON object, the output of `check --json`. The keys are stable: they are only ever added
/// to.
public struct TargetsRecord: Sendable, Hashable, Encodable {
    let targets: [TargetRecord]
    /// The number of targets that are up or degraded.
    let up: Int
    /// The number of targets that are down.
    let down: Int
    /// The number of unknown targets, which could not be probed.
    let unknown: Int

    /// The record of the present state of targets, in their order. Targets that another shard reports are left out.
    ///
    /// - Parameter redaction: removes secrets; `.none` for the user's own terminal.
    public init(_ states: some Collection<TargetState>, redaction: Redaction = .none) {
        let states = states.filter { !$0.target.isOfOtherShard }
        targets = states.map { TargetRecord($0, redaction: redaction) }
        up = states.count { $0.health.isReachable }
        down = states.count { $0.health == .down }
        unknown = states.count { $0.health == .unknown }
    }

    /// The object on one line, with sorted keys. Characters that a terminal would execute are escaped.
    public var json: String { jsonLine }
}
