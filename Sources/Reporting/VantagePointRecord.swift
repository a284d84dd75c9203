import Monitoring

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
