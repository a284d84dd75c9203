/// How often targets go down by themselves: the outages that no cause explains, and the time in which they were seen.
///
/// Chance is judged by two rates. The quiet one is that of this record. The other is that of a storm: a moment in which
/// much goes down for different reasons, or the first moment, when everything that was down is found at once. How
/// likely a storm is follows from the time observed without one; what else goes down at the moment decides.
public struct OutageRate: Sendable, Hashable {
    /// The number of outages without a cause.
    public private(set) var outages = 0.0
    /// The time for which targets were judged, summed over the targets, in seconds.
    public private(set) var targetSeconds = 0.0
    /// The time for which any target was judged, in seconds.
    public private(set) var seconds = 0.0

    /// Before anything is known: one outage per target and day.
    static let priorTargetSeconds = 86_400.0
    /// A storm takes down one target in twenty (the mean of a beta distribution, so much more is possible).
    static let storm = BetaBinomial(failures: 1, successes: 19)
    /// Older experience counts less: it halves in a day.
    static let halfLife = 86_400.0

    /// Creates an empty record.
    public init() {}

    /// Creates a record from what an earlier run has seen.
    public init(outages: Double, targetSeconds: Double, seconds: Double) {
        (self.outages, self.targetSeconds, self.seconds) = (outages, targetSeconds, seconds)
    }

    mutating func advance(by elapsed: Duration, targets: Int) {
        let elapsed = elapsed.inSeconds
        guard elapsed > 0, targets > 0 else { return }
        if elapsed > 1e-3 {
            let share = Logarithms.exp(-elapsed / Self.halfLife * Logarithms.log2)
            (outages, targetSeconds, seconds) = (outages * share, targetSeconds * share, seconds * share)
        }
        seconds += elapsed
        targetSeconds += elapsed * Double(targets)
    }

    mutating func countOutages(_ count: Int) {
        outages = max(0, outages + Double(count))
    }

    /// The logarithm of the probability that at least `down` of `exposed` targets go down by themselves in a window.
    ///
    /// - Parameters:
    ///   - outside: the other targets: how many of them went down in the same window, and how many did not.
    ///   - window: its length, in seconds.
    func logChance(
        of down: Int,
        of exposed: Int,
        outside: (down: Int, up: Int),
        window: Double
    ) -> Double {
        let quiet = BetaBinomial(
            failures: 1 + outages,
            successes: max(1, (Self.priorTargetSeconds + targetSeconds) / window)
        )
        // One storm is assumed in the time observed and the window itself.
        let stormShare = window / (window + seconds)
        let total = outside.down + outside.up
        let stormWeight = Logarithms.log(stormShare) + Self.storm.logProbability(of: outside.down, of: total)
        let quietWeight = Logarithms.log(1 - stormShare) + quiet.logProbability(of: outside.down, of: total)
        let ifStorm = Self.storm.updated(failures: outside.down, successes: outside.up).logTail(down, of: exposed)
        let ifQuiet = quiet.updated(failures: outside.down, successes: outside.up).logTail(down, of: exposed)
        return Logarithms.logSum(stormWeight + ifStorm, quietWeight + ifQuiet)
            - Logarithms.logSum(stormWeight, quietWeight)
    }
}
