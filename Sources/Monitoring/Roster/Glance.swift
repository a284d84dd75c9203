/// What is seen of a target from afar: sixteen bytes, since thousands are looked at for every frame.
public struct Glance: Sendable, Hashable {
    /// What is believed of the target.
    public let health: Health
    /// Whether the user switched the target off.
    public let isPaused: Bool
    /// Whether it is blocked by what it depends on.
    public let isBlocked: Bool
    /// Whether it would be asked, and cannot be.
    public let isFaulty: Bool
    /// Nanoseconds of the newest answer's round trip; negative for none.
    private let nanoseconds: Int64

    init(_ standing: borrowing Standing) {
        health = standing.judge.health
        isPaused = standing.isPaused
        isBlocked = standing.isBlocked
        isFaulty = standing.fault != nil && standing.isAsked
        nanoseconds = standing.lastReply?.nanoseconds ?? -1
    }

    /// The round trip of the newest proper answer; nil before that, or where nothing travelled.
    public var roundTrip: Duration? { nanoseconds < 0 ? nil : .nanoseconds(nanoseconds) }

    /// Whether nothing is said of the target now: it is paused or blocked.
    public var isOutOfUse: Bool { isPaused || isBlocked }

    /// Whether only the round trip differs.
    func isLike(_ other: Glance) -> Bool {
        health == other.health && isPaused == other.isPaused && isBlocked == other.isBlocked
            && isFaulty == other.isFaulty
    }
}
