/// The health of a target, decided from its streaks of outcomes.
public enum Health: String, Sendable, Hashable, Codable, CaseIterable {
    /// No verdict yet.
    case unknown
    /// The target replies.
    case up
    /// The target replies, but slowly, with loss or with a warning.
    case degraded
    /// The target does not reply.
    case down

    /// Whether the target replies.
    public var isReachable: Bool {
        self == .up || self == .degraded
    }
}

/// A pending change of health: a streak is running, but below its threshold.
public struct Pending: Sendable, Hashable {
    /// The health that the streak leads to.
    public let toward: Health
    /// Outcomes in a row so far.
    public let streak: Int
    /// Outcomes in a row that change the health.
    public let threshold: Int

    /// Creates a pending change of health.
    public init(toward: Health, streak: Int, threshold: Int) {
        self.toward = toward
        self.streak = streak
        self.threshold = threshold
    }
}
