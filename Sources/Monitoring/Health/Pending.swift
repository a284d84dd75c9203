/// A health that is about to change: a streak is running, its threshold is not reached.
public struct Pending: Sendable, Hashable {
    /// Where the streak leads.
    public let toward: Health
    /// Outcomes in a row so far.
    public let streak: Int
    /// Outcomes in a row that it takes.
    public let threshold: Int

    /// A streak of so many outcomes on its way to a health.
    public init(toward: Health, streak: Int, threshold: Int) {
        self.toward = toward
        self.streak = streak
        self.threshold = threshold
    }
}
