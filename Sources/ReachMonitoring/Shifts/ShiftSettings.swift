/// Which changes of level and loss rate are reported.
public struct ShiftSettings: Sendable, Hashable, Codable {
    /// The smallest change, as a share of the lower level (`at_least`).
    public var atLeast: Double
    /// The smallest change in time, which must be reached too (`and`). Where the lower level is below 1 ms,
    /// ``leastInLAN`` replaces it if that is smaller.
    public var and: Duration
    /// The smallest change of the loss rate, in points: 0.05 means from 1 % to 6 %, say. ``atLeast`` must be reached too.
    public var leastLoss: Double

    /// A smaller share counts as this one: the mean of a noisy level wanders by as much.
    static let lowestShare: Float = 0.01
    /// The smallest change where the level is below 1 ms.
    public static let leastInLAN = Duration.microseconds(100)

    /// Creates settings. The defaults are those of reach: 20 % and 5 ms.
    public init(atLeast: Double = 0.2, and: Duration = .milliseconds(5), leastLoss: Double = 0.05) {
        (self.atLeast, self.and, self.leastLoss) = (atLeast, and, leastLoss)
    }

    /// Whether a change from one level to another is large enough, for levels in natural logarithms of microseconds.
    func isLarge(from before: Float, to after: Float) -> Bool {
        isLarge(from: before, to: after, share: 1)
    }

    /// Whether a change reaches a share of what is large enough. The lower of the two levels counts as 100 %, so that the
    /// end of a shift is as large as its beginning.
    func isLarge(from before: Float, to after: Float, share: Float) -> Bool {
        // Levels in microseconds.
        let (old, new) = (Logarithms.exp(single: before), Logarithms.exp(single: after))
        let low = min(old, new)
        let least = low < 1000 ? min(and, Self.leastInLAN) : and
        let leastMicroseconds = Float(least / .microseconds(1))
        return abs(new - old) >= share * max(max(Self.lowestShare, Float(atLeast)) * low, leastMicroseconds)
    }

    /// Whether a change from one loss rate to another is large enough.
    func isLarge(fromLoss before: Float, to after: Float) -> Bool {
        abs(after - before) >= max(Float(atLeast) * before, Float(leastLoss))
    }
}
