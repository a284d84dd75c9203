/// The thresholds at which a streak of outcomes changes the health of a target.
public struct Thresholds: Sendable, Hashable, Codable {
    /// The number of finished probes for the loss rate of ``lossy``.
    public static let lossyWindow = 20

    /// Replies in a row that take a target from down to up (the term is HAProxy's).
    public var rise: Int
    /// Losses in a row that take a target down (the term is HAProxy's).
    public var fall: Int
    /// Slow replies in a row that enter `degraded`, and quick replies in a row that leave it. With 0, a target is degraded
    /// until its first quick reply, and never after it: losses do not count, as for a fixed number of probes.
    public var slowStreak: Int
    /// The longest round trip of a reply that is not slow.
    public var slow: Duration?
    /// The loss rate over the last twenty probes, 0…1, above which a target that replies is degraded.
    public var lossy: Double?

    /// Creates thresholds. By default, one reply means up, and three losses mean down.
    public init(rise: Int = 1, fall: Int = 3, slowStreak: Int = 3, slow: Duration? = nil, lossy: Double? = nil) {
        self.rise = rise
        self.fall = fall
        self.slowStreak = slowStreak
        self.slow = slow
        self.lossy = lossy
    }
}
