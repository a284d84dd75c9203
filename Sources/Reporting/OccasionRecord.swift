public import Monitoring

/// What fired a hook as a JSON object: what a command reads on standard input, and what a request sends. Its keys are a
/// contract: additions only.
///
/// `type` says what it was: `transition`, `address`, `flapping` or, at the user's wish, `user`.
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

    /// The record of an occasion.
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

    /// The object on one line, its keys in alphabetical order. In it, no character stands as it is that a terminal
    /// would obey.
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
