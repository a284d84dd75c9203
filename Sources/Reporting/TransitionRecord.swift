import Foundation
public import Monitoring

/// A transition as a JSON object: what a hook reads on standard input. Its keys are a contract: additions only.
public struct TransitionRecord: Sendable, Hashable, Encodable {
    let type = "transition"
    let time: String
    let target: String
    let url: String
    let group: String?
    let address: String?
    let from: String
    let to: String
    let reason: String?
    let detail: String?
    let afterSeconds: Double
    let downSeconds: Double?
    let roundTripSeconds: Double?
    let loss: Double?

    enum CodingKeys: String, CodingKey {
        case type, time, target, url, group, address, from, to, reason, detail, loss
        case afterSeconds = "after_seconds"
        case downSeconds = "down_seconds"
        case roundTripSeconds = "round_trip_seconds"
    }

    /// The record of the transition that an occasion tells of.
    public init(_ occasion: Occasion, wall: WallTime) {
        let transition = occasion.transition
        time = wall.timestamp(at: transition.time)
        target = occasion.name
        url = occasion.question.url
        group = occasion.group
        address = occasion.address
        from = transition.from.rawValue
        to = transition.to.rawValue
        reason = transition.reason
        detail = transition.detail
        afterSeconds = Self.seconds(transition.lasted)
        downSeconds = transition.outage.map { Self.seconds($0) }
        roundTripSeconds = occasion.roundTrip.map { Self.seconds($0, places: 1_000_000) }
        loss = occasion.loss
    }

    /// The object on one line, its keys in alphabetical order.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and finite numbers always encode.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private static func seconds(_ duration: Duration, places: Double = 1_000) -> Double {
        (duration.inSeconds * places).rounded() / places
    }
}
