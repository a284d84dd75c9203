/// A 16-byte summary of a target's state. The screen reads thousands of these per frame.
public struct TargetSummary: Sendable, Hashable {
    /// The health of the target.
    public let health: Health
    /// Whether the user paused the target.
    public let isPaused: Bool
    /// Whether a dependency blocks the target.
    public let isBlocked: Bool
    /// Whether the target should be probed, but has a fault.
    public let isFaulty: Bool
    /// Whether the health changes too often.
    public let isFlapping: Bool
    /// Whether the user has noted that the failure is known; false for a target that is paused or blocked.
    package let isAcknowledged: Bool
    /// Whether the vantage points disagree whether the target is reachable; false for a target that is paused or blocked.
    package let isDisputed: Bool
    /// Whether there is planned work at the target; false for a target that is paused or blocked.
    package let isInMaintenance: Bool
    /// Nanoseconds of the newest reply's round trip; negative for none.
    private let nanoseconds: Int64

    init(_ state: borrowing TargetState) {
        health = state.judge.health
        isPaused = state.isPaused
        isBlocked = state.isBlocked
        isFaulty = state.fault != nil && state.isProbed
        isFlapping = state.isFlapping
        isAcknowledged = state.isAcknowledged && !state.isPaused && !state.isBlocked
        isDisputed = state.isDisputed && !state.isPaused && !state.isBlocked
        isInMaintenance = state.isInMaintenance && !state.isPaused && !state.isBlocked
        nanoseconds = state.lastReply?.nanoseconds ?? -1
    }

    /// The round trip of the newest reply; nil before the first, or for a method that sends no packet.
    public var roundTrip: Duration? { nanoseconds < 0 ? nil : .nanoseconds(nanoseconds) }

    /// Whether the target is paused or blocked.
    public var isPausedOrBlocked: Bool { isPaused || isBlocked }

    /// Whether a failure of the target is expected: acknowledged, or during planned work.
    package var isFailureExpected: Bool { isAcknowledged || isInMaintenance }

    /// Whether only the round trip differs.
    func hasSameState(_ other: TargetSummary) -> Bool {
        health == other.health && isPaused == other.isPaused && isBlocked == other.isBlocked
            && isFaulty == other.isFaulty && isFlapping == other.isFlapping
            && isAcknowledged == other.isAcknowledged && isDisputed == other.isDisputed
            && isInMaintenance == other.isInMaintenance
    }
}
