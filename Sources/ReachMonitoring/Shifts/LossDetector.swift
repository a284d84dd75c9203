/// Detects lasting changes of a target's loss rate, online.
///
/// It keeps the newest 63 outcomes. For each time at which the rate may have changed, a likelihood ratio compares the
/// rate since then, and the rate before the window, with one rate for both (Bernoulli, generalized likelihood ratio: Lorden,
/// 1971). An outage is none: of successive losses, the first three count.
///
/// 14 bytes, without heap storage.
public struct LossDetector: Sendable, Hashable {
    /// The outcomes in two words, the newest in the lowest bit: one if lost. The highest one bit only marks the length.
    private var low: UInt32 = 1
    private var high: UInt32 = 0
    /// The loss rate of the outcomes before the window, in units of 1/65 535.
    private var rate: UInt16 = 0
    /// The number of outcomes in ``rate``, limited.
    private var count: UInt8 = 0
    /// The rate that the reports so far lead to, in units of 1/255.
    private var reported: UInt8 = 0
    /// The newest outcomes without a loss, limited.
    private var answered: UInt16 = 0

    /// The lead of the log likelihood that makes a change certain.
    static let evidence: Float = 12
    /// The same for the end of a loss, which each run of replies may seem to be.
    static let evidenceOfEnd: Float = 16
    /// The standard deviations by which a slow change must exceed chance.
    static let leastDeviations: Float = 4
    /// The fewest outcomes of either kind among those that show a rise, and the fewest outcomes that show a change: the rate
    /// of fewer is only roughly known.
    static let leastOfEach = 4
    static let leastForRise = 16
    static let leastForFall = 20
    /// The successive losses that count.
    static let longestRun: UInt64 = 3
    /// The outcomes before the first change can be found.
    static let warmup: UInt8 = 30
    /// The weight of the rate before is limited to these many outcomes.
    static let memory: UInt8 = 250
    /// The lowest rate assumed, so that a first loss is not impossible.
    static let lowestRate: Float = 0.005

    /// Creates a detector without outcomes.
    public init() {}

    private var outcomes: UInt64 {
        get { UInt64(high) << 32 | UInt64(low) }
        set { (low, high) = (UInt32(truncatingIfNeeded: newValue), UInt32(truncatingIfNeeded: newValue >> 32)) }
    }

    /// The loss rate before the newest outcomes, 0…1; nil before 30 outcomes.
    public var lossRate: Double? { count < Self.warmup ? nil : Double(rate) / 65_535 }

    /// Records a finished probe.
    ///
    /// - Parameter interval: the mean interval of the probes; it dates the change.
    public mutating func record(
        isLost: Bool,
        at now: Duration,
        interval: Duration,
        under settings: ShiftSettings = ShiftSettings()
    ) -> LossShift? {
        let run = (1 << Self.longestRun) - 1 as UInt64
        let newest = outcomes
        // The length bit must be above the run.
        if isLost, newest & run == run, newest > run { return nil }
        push(isLost)
        answered = isLost ? 0 : min(answered + 1, .max - 1)
        guard count >= Self.warmup else { return nil }
        // A rise is decided at a loss, a fall at every eighth outcome without one.
        if let end = findEnd(at: now, interval: interval, under: settings) { return end }
        let window = outcomes
        if isLost || answered % 8 == 0 && answered > 0 && rate > 0 {
            let change = findChange(window, at: now, interval: interval, under: settings)
            if change != nil { return change }
        }
        return findDrift(at: now, interval: interval, under: settings)
    }

    /// A change that is too small or too slow for the window, such as the end of a low loss rate.
    ///
    /// The rate before the window approaches the new one exponentially. Where the rate fell, its beginning follows from
    /// that: memory · ln(before / after) outcomes ago, and those of the window.
    private mutating func findDrift(at now: Duration, interval: Duration, under settings: ShiftSettings) -> LossShift? {
        let (before, after) = (Float(reported) / 255, Float(rate) / 65_535)
        guard length == 63, count == Self.memory, settings.isLarge(fromLoss: before, to: after) else { return nil }
        // The variance of the difference: a mean of as many outcomes as the memory, and an exponential average.
        let middle = (before + after) / 2
        let variance = middle * (1 - middle) * 1.5 / Float(Self.memory)
        let difference = after - before
        guard difference * difference > Self.leastDeviations * Self.leastDeviations * variance else { return nil }
        let passed =
            after < before ? Float(Self.memory) * Logarithms.log(single: before / max(after, Self.lowestRate)) : 0
        noteReport()
        return LossShift(
            before: Double(before),
            after: Double(after),
            began: now - interval * (63 + Int(min(passed, 2 * Float(Self.memory)))),
            found: now
        )
    }

    /// The end of a loss: so many replies in a row that the reported rate no longer explains them.
    private mutating func findEnd(at now: Duration, interval: Duration, under settings: ShiftSettings) -> LossShift? {
        let before = Float(reported) / 255
        guard answered >= Self.leastForFall, settings.isLarge(fromLoss: before, to: 0),
            Float(answered) * -Logarithms.log(single: 1 - min(before, 0.99)) > Self.evidenceOfEnd
        else { return nil }
        let run = Int(answered)
        (rate, count, reported, outcomes) = (0, UInt8(clamping: min(run, Int(Self.memory))), 0, 1)
        return LossShift(before: Double(before), after: 0, began: now - interval * (run - 1), found: now)
    }

    private mutating func noteReport() {
        reported = UInt8((Float(rate) / 257).rounded())
    }

    /// Forgets the newest outcomes, after a gap: a change is dated after it.
    public mutating func interrupt() {
        (outcomes, answered) = (1, 0)
    }

    private var length: Int { 63 - outcomes.leadingZeroBitCount }

    private mutating func push(_ isLost: Bool) {
        let window = outcomes
        let isFull = window >> 63 == 1
        let oldest = window >> 62 & 1
        if count < Self.warmup {
            learn(isLost)
        } else if isFull {
            learn(oldest == 1)
        }
        let kept = isFull ? window & (1 << 62 - 1) | 1 << 62 : window
        outcomes = kept << 1 | (isLost ? 1 : 0)
    }

    private mutating func learn(_ isLost: Bool) {
        let isYoung = count < Self.memory
        if isYoung { count += 1 }
        let old = Float(rate)
        rate = UInt16(max(0, min(65_535, (old + ((isLost ? 65_535 : 0) - old) / Float(count)).rounded())))
        // A rate of few outcomes is only roughly known. What it turns out to be is no change, unless the loss ends.
        if isYoung, answered < Self.leastForFall { noteReport() }
    }

    /// The divergence of a rate from another, the mean gain of log likelihood per outcome (Kullback and Leibler, 1951).
    private func divergence(_ rate: Float, _ other: Float) -> Float {
        let lost = rate > 0 ? rate * Logarithms.log(single: rate / other) : 0
        let answered = rate < 1 ? (1 - rate) * Logarithms.log(single: (1 - rate) / (1 - other)) : 0
        return lost + answered
    }

    private mutating func findChange(
        _ window: UInt64,
        at now: Duration,
        interval: Duration,
        under settings: ShiftSettings
    ) -> LossShift? {
        let before = max(Self.lowestRate, min(0.995, Float(rate) / 65_535))
        let weight = Float(count)
        var (best, bestLength, bestLost) = (Float(0), 0, 0)
        var lost = 0
        for age in 0..<length {
            lost += Int(window >> UInt64(age) & 1)
            let total = age + 1
            let share = Float(lost) / Float(total)
            let isEnough =
                share > before
                ? lost >= Self.leastOfEach && total - lost >= Self.leastOfEach && total >= Self.leastForRise
                : total >= Self.leastForFall
            guard isEnough else { continue }
            // Two rates, or one of all outcomes?
            let common = (share * Float(total) + before * weight) / (Float(total) + weight)
            let lead = Float(total) * divergence(share, common) + weight * divergence(before, common)
            if lead > best { (best, bestLength, bestLost) = (lead, total, lost) }
        }
        guard best > Self.evidence else { return nil }
        let after = Float(bestLost) / Float(bestLength)
        let old = Float(rate) / 65_535
        // The outcomes since the change are the new rate.
        rate = UInt16((after * 65_535).rounded())
        count = UInt8(bestLength)
        outcomes = 1
        guard settings.isLarge(fromLoss: old, to: after) else { return nil }
        noteReport()
        return LossShift(
            before: Double(old),
            after: Double(after),
            began: now - interval * (bestLength - 1),
            found: now
        )
    }
}
