public import Monitoring

/// The context of a hook run as a JSON object: the standard input of a command, or the body of a request. The keys are
/// stable: they are only ever added to.
///
/// `type` is the trigger: `transition`, `address`, `flapping`, or `user` for a run by hand.
public struct OccasionRecord: Sendable, Hashable, Encodable {
    let type: String
    let event: String
    let time: String
    let target: String
    let url: String
    let group: String?
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

    enum CodingKeys: String, CodingKey {
        case type, event, time, target, url, group, address, health, from, to, flapping, reason, detail, loss
        case since
        case flappingShare = "flapping_share"
        case previousAddress = "previous_address"
        case afterSeconds = "after_seconds"
        case downSeconds = "down_seconds"
        case roundTripSeconds = "round_trip_seconds"
    }

    /// The record of the context of a run.
    public init(_ occasion: Occasion, wall: WallTime) {
        let transition = occasion.transition
        type = occasion.trigger.name
        event = occasion.event.rawValue
        time = wall.timestamp(at: occasion.time)
        target = occasion.name
        url = occasion.question.url
        group = occasion.group
        address = occasion.address
        previousAddress = occasion.previousAddress
        health = occasion.health.rawValue
        from = transition?.from.rawValue
        to = transition?.to.rawValue
        since = wall.timestamp(at: occasion.since)
        flapping = occasion.isFlapping
        flappingShare = occasion.flappingShare?.thousandths
        reason = transition?.reason
        detail = transition?.detail
        afterSeconds = transition?.lasted.millisecondPrecision
        downSeconds = transition?.outage?.millisecondPrecision
        roundTripSeconds = occasion.roundTrip?.microsecondPrecision
        loss = occasion.loss
    }

    /// The object on one line, with sorted keys. Characters that a terminal would execute are escaped.
    public var json: String { jsonLine }
}

extension Occasion.Trigger {
    fileprivate var name: String {
        switch self {
        case .transition: "transition"
        case .address: "address"
        case .flapping: "flapping"
        case .user: "user"
        }
    }
}
