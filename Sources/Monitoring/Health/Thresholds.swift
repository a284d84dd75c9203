/// When a streak of outcomes changes the health of a target.
public struct Thresholds: Sendable, Hashable {
    /// How many finished probes the loss of ``lossy`` is measured over.
    public static let lossyWindow = 20

    /// Replies in a row that take a target from down to up (HAProxy's word).
    public var rise: Int
    /// Losses in a row that take a target down (HAProxy's word).
    public var fall: Int
    /// Replies in a row that are slow enough, or quick enough again, to enter or leave `degraded`.
    public var slowStreak: Int
    /// The round trip above which a reply is slow.
    public var slow: Duration?
    /// The loss, 0…1, over the last twenty probes above which a target that answers is degraded.
    public var lossy: Double?

    /// Thresholds; one reply is enough to be up and three losses to be down unless told otherwise.
    public init(rise: Int = 1, fall: Int = 3, slowStreak: Int = 3, slow: Duration? = nil, lossy: Double? = nil) {
        self.rise = rise
        self.fall = fall
        self.slowStreak = slowStreak
        self.slow = slow
        self.lossy = lossy
    }
}
