public import ReachMonitoring

/// The context of a hook run as a JSON object: the standard input of a command, or the body of a request. The keys are
/// stable: they are only ever added to.
///
/// `type` is the trigger: `transition`, `address`, `path`, `shift`, `cause`, `flapping`, or `user` for a run by hand.
public struct HookContextRecord: Sendable, Hashable, Encodable {
    let type: String
    let event: String
    let time: String
    let target: String
    let url: String
    let group: String?
    /// Absent without tags.
    let tags: [String]?
    let address: String?
    let previousAddress: String?
    let health: String
    let from: String?
    let to: String?
    let since: String
    let flapping: Bool?
    let flappingShare: Double?
    let reason: String?
    let detail: String?
    let afterSeconds: Double?
    let downSeconds: Double?
    let roundTripSeconds: Double?
    let loss: Double?
    let acknowledged: String?
    /// The change of the usual round trips or losses; absent unless it fired the hook.
    let shift: ShiftRecord?
    /// Absent for a target whose path is not traced.
    let path: TracedPathRecord?
    /// Absent for a target whose outage has no common cause.
    let cause: CauseRecord?
    /// Absent for a target without vantage points.
    let vantagePoints: [VantagePointRecord]?

    enum CodingKeys: String, CodingKey {
        case type, event, time, target, url, group, tags, address, health, from, to, flapping, reason, detail, loss
        case since, acknowledged, path, cause, shift
        case vantagePoints = "vantage_points"
        case flappingShare = "flapping_share"
        case previousAddress = "previous_address"
        case afterSeconds = "after_seconds"
        case downSeconds = "down_seconds"
        case roundTripSeconds = "round_trip_seconds"
    }

    /// The record of the context of a run.
    public init(_ context: HookContext, wall: WallTime) {
        let transition = context.transition
        type = context.trigger.name
        event = context.event.rawValue
        time = wall.timestamp(at: context.time)
        target = context.name
        url = context.question.url
        group = context.group
        tags = context.tags.nonEmpty
        address = context.address
        previousAddress = context.previousAddress
        health = context.health.rawValue
        from = transition?.from.rawValue
        to = transition?.to.rawValue
        since = wall.timestamp(at: context.since)
        flapping = context.isFlapping
        flappingShare = context.flappingShare?.thousandths
        reason = transition?.reason
        detail = transition?.detail
        afterSeconds = transition?.lasted.millisecondPrecision
        downSeconds = context.outage?.millisecondPrecision
        roundTripSeconds = context.roundTrip?.microsecondPrecision
        loss = context.loss
        acknowledged = context.acknowledged
        shift = context.shift.flatMap { ShiftRecord($0, wall: wall) }
        path = context.path.map(TracedPathRecord.init)
        cause = context.commonCause.map { CauseRecord($0, wall: wall) }
        vantagePoints = context.vantagePoints.map { VantagePointRecord($0, wall: wall) }.nonEmpty
    }
}

extension HookContext.Trigger {
    fileprivate var name: String {
        switch self {
        case .transition: "transition"
        case .address: "address"
        case .path: "path"
        case .shift: "shift"
        case .cause: "cause"
        case .flapping: "flapping"
        case .user: "user"
        }
    }
}

/// What a vantage point says about a target, as a JSON object in the context of a hook run.
struct VantagePointRecord: Sendable, Hashable, Encodable {
    let name: String
    /// Whether it reports. Otherwise the other values are the last ones.
    let reporting: Bool
    let health: String
    let since: String
    /// When its newest sample was taken.
    let time: String
    let roundTripSeconds: Double?
    let detail: String?

    enum CodingKeys: String, CodingKey {
        case name, reporting, health, since, time, detail
        case roundTripSeconds = "round_trip_seconds"
    }

    init(_ point: VantagePoint, wall: WallTime) {
        name = point.name
        reporting = point.isReporting
        health = point.health.rawValue
        since = wall.timestamp(at: point.since)
        time = wall.timestamp(at: point.time)
        roundTripSeconds = point.roundTrip?.microsecondPrecision
        detail = point.detail
    }
}
