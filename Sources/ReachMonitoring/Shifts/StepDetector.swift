/// An online change-point detector for the logarithm of round trips. It finds steps of the level, dated back to the
/// reply where they began.
///
/// The method is Bayesian online change-point detection (Adams and MacKay, 2007) with the best path in place of the sum
/// over paths. A segment's logarithms are normal with unknown mean and variance. Its predictive distribution is thus
/// Student's t. A share of the replies, ``outlierShare``, is spread evenly instead: spikes cost little and do not
/// move the mean.
///
/// The current segment competes with up to eight candidates, segments that began with a later reply. A candidate
/// becomes the current segment when its log likelihood leads by ``evidence`` and it has ``leastReplies``. The figures are in
/// `Benchmarks/Shifts/README.md`.
///
/// 164 bytes, without heap storage: each target has one.
package struct StepDetector: Sendable, Hashable {
    /// The share of replies that belong to no level, such as spikes.
    static let outlierShare: Float = 0.04
    /// The density of such replies, and of the first reply of a segment: one level in e^2.8.
    static let flatDensity: Float = 0.36
    /// The log odds against a change at a given reply, about 1 to 15 000.
    static let changePenalty: Float = 9.6
    /// The lead of a candidate's log likelihood that makes it the current segment.
    static let evidence: Float = 34
    /// The same for a step of at least ``largeStep``: prior knowledge, since such steps are rarely noise.
    static let largeStepEvidence: Float = 1.7
    /// The replies over which outliers are counted.
    static let unrestMemory: Float = 128
    /// The share of outliers that does not matter, and the evidence for each unit above it. See ``evidence(against:)``.
    static let calmShare: Float = 0.04
    static let unrestEvidence: Float = 800
    /// The most evidence: a lasting change must reach it while its candidate is kept, for 40 replies.
    static let mostEvidence: Float = 120
    /// The smallest large step, in units of the logarithm: 11 %.
    static let largeStep: Float = 0.105
    /// The fewest replies of a new level.
    static let leastReplies: UInt8 = 4
    /// The weight of a segment's mean and variance is limited to these many replies, so that they follow slow drift.
    static let memory: UInt8 = 40
    /// The noise that each level has at least, in units of the logarithm: 0.15 %.
    static let leastNoise: Float = 0.0015
    /// The smallest step: 0.2 %, and 1.4 standard deviations of the quieter segment. Smaller ones, and changes of the
    /// variance alone, begin a segment silently.
    static let leastStep: Float = 0.002
    static let leastDeviations: Float = 1.4
    /// The prior of a segment's variance: an inverse gamma distribution with this shape. Its scale is the shape times
    /// ``priorFactor`` times the square of the typical noise.
    static let priorShape: Float = 0.24
    static let priorFactor: Float = 6
    /// The replies before the first change can be found.
    static let warmup: UInt8 = 30
    /// No segment trails by more: an older one must be able to recover.
    static let worstScore: Float = -200

    /// The first age, in replies, of the candidate in each slot. A slot keeps the best candidate of its range, so old
    /// ones thin out. A candidate older than the last range is dropped: it hardly differs from the current segment.
    private static let firstAges: [UInt8] = [0, 1, 2, 3, 5, 8, 12, 20, 40]

    /// The candidates: mean, sum of squared deviations, and score. An empty slot has the score −∞.
    private var means = SIMD8<Float>(repeating: 0)
    private var squares = SIMD8<Float>(repeating: 0)
    private var scores = SIMD8<Float>(repeating: -.infinity)
    /// When the candidates began, in wrapping milliseconds.
    private var starts = SIMD8<UInt32>(repeating: 0)
    /// The replies since each candidate began, without the first.
    private var ages = SIMD8<UInt8>(repeating: 0)
    /// The replies in a candidate's mean.
    private var counts = SIMD8<UInt8>(repeating: 1)
    /// The current segment. Its mean is a logarithm of microseconds.
    private(set) var mean: Float = 0
    private var square: Float = 0
    private var score: Float = 0
    /// The typical standard deviation within segments, in units of the logarithm. It changes slowly.
    private(set) var noise: Float = 0.003
    private var count: UInt8 = 0
    /// The number of replies, limited to ``warmup``.
    private(set) var replies: UInt8 = 0
    /// Whether a candidate is ahead of the current segment. The best score is zero.
    var isContested: Bool { score < 0 }

    /// The share of the last replies, about 128, that were outliers of the current segment, in units of 1/65 535.
    private var unrest: UInt16 = 0

    package init() {}

    /// Restores the current segment. It has no candidates.
    init(mean: Float, deviation: Float, noise: Float, count: UInt8, replies: UInt8) {
        (self.mean, self.noise, self.count, self.replies) = (mean, noise, min(count, Self.memory), replies)
        square = deviation * deviation * Float(self.count)
    }

    /// Whether there were enough replies to know a level.
    var isReady: Bool { replies >= Self.warmup }

    /// The standard deviation of the current segment, and the number of its replies, for a snapshot.
    var segment: (deviation: Float, count: UInt8) {
        ((square / Float(max(1, count))).squareRoot(), count)
    }

    /// Drops all candidates, after a gap in the replies: a change is dated after the gap.
    mutating func dropCandidates() {
        scores = SIMD8(repeating: -.infinity)
        score = 0
    }

    /// Records a reply.
    ///
    /// - Parameter level: the natural logarithm of the round trip in microseconds.
    /// - Returns: a step that is certain now.
    package mutating func record(_ level: Float, at now: Duration) -> LevelStep? {
        guard count > 0 else {
            (mean, square, count, replies) = (level, 0, 1, 1)
            return nil
        }
        let time = now.wrappingMilliseconds
        let best = max(score, scores.max())
        updateCurrent(level)
        updateCandidates(level)
        ageCandidates()
        (means[0], squares[0], starts[0], ages[0], counts[0]) = (level, 0, time, 0, 1)
        scores[0] = best - Self.changePenalty + Logarithms.log(single: Self.flatDensity)
        let lead = max(score, scores.max())
        score = max(score - lead, Self.worstScore)
        scores -= lead
        if replies < Self.warmup { replies += 1 }
        let step = isContested ? decide(at: now, time) : nil
        learnNoise()
        return step
    }

    // MARK: Likelihood

    /// The logarithm of the predictive density of a reply at a distance from the mean of a segment.
    ///
    /// Student's t with ν = 2 · (shape + count / 2). The logarithm of its factor, ln Γ((ν + 1) / 2) − ln Γ(ν / 2)
    /// − ½ ln(νπ), is −½ ln 2π − 1 / 4ν + 1 / 24ν³ by Stirling's series, within 0.01 for ν above 1.4.
    @inline(__always)
    private func density(_ distance: SIMD8<Float>, squares: SIMD8<Float>, counts: SIMD8<Float>) -> SIMD8<Float> {
        let prior = Self.priorShape * Self.priorFactor * noise * noise
        let freedom = counts + 2 * Self.priorShape
        let variance = (squares + 2 * prior) / freedom * (1 + 1 / counts) + Self.leastNoise * Self.leastNoise
        let inverse = 1 / freedom
        let ratio = Logarithms.log(1 + distance * distance * inverse / variance)
        let factor = Self.logRegularFactor - inverse * (0.25 - inverse * inverse * (1 / 24))
        return factor - 0.5 * (Logarithms.log(variance) + (freedom + 1) * ratio)
    }

    /// ln((1 − outlierShare) / √(2π))
    private static let logRegularFactor: Float = -0.918_938_5 - 0.040_822
    /// ln(outlierShare · flatDensity)
    private static let logOutlier: Float = -4.240_527

    private mutating func updateCurrent(_ level: Float) {
        let distance = level - mean
        let likelihood = density(
            SIMD8(repeating: distance),
            squares: SIMD8(repeating: square),
            counts: SIMD8(repeating: Float(count))
        )[0]
        let isOutlier = likelihood <= Self.logOutlier
        let old = Float(unrest)
        unrest = UInt16((old + ((isOutlier ? 65_535 : 0) - old) / Self.unrestMemory).rounded())
        guard !isOutlier else { return score += Self.logOutlier }
        score += likelihood
        let grown = Float(count) + 1
        mean += distance / grown
        square += distance * (level - mean)
        if count < Self.memory { count += 1 } else { square *= Float(count) / grown }
    }

    private mutating func updateCandidates(_ level: Float) {
        let weights = SIMD8<Float>(counts)
        let distances = level - means
        let likelihoods = density(distances, squares: squares, counts: weights)
        let regular = likelihoods .> Self.logOutlier
        scores += pointwiseMax(likelihoods, SIMD8(repeating: Self.logOutlier))
        let grown = means + distances / (weights + 1)
        squares.replace(with: squares + distances * (level - grown), where: regular)
        means.replace(with: grown, where: regular)
        // A candidate has at most 40 replies, the memory of a segment.
        let added = SIMD8<Int32>(repeating: 0).replacing(with: 1, where: regular)
        counts &+= SIMD8<UInt8>(truncatingIfNeeded: added)
        ages &+= 1
    }

    // MARK: Candidates

    /// Moves each candidate to the slot of its age, where the better one stays. The first slot is free then.
    private mutating func ageCandidates() {
        for slot in stride(from: 7, through: 0, by: -1) where ages[slot] >= Self.firstAges[slot + 1] {
            if slot < 7, scores[slot] > scores[slot + 1] { move(slot, to: slot + 1) }
            scores[slot] = -.infinity
        }
    }

    private mutating func move(_ slot: Int, to other: Int) {
        means[other] = means[slot]
        squares[other] = squares[slot]
        scores[other] = scores[slot]
        starts[other] = starts[slot]
        ages[other] = ages[slot]
        counts[other] = counts[slot]
    }

    /// Makes the best candidate the current segment if its lead is certain.
    private mutating func decide(at now: Duration, _ time: UInt32) -> LevelStep? {
        var slot = 0
        for other in 1..<8 where scores[other] > scores[slot] { slot = other }
        let size = abs(means[slot] - mean)
        let needed = max(size >= Self.largeStep ? Self.largeStepEvidence : Self.evidence, evidence(against: slot))
        guard scores[slot] - score > needed, counts[slot] >= Self.leastReplies else { return nil }
        let deviation = min(
            deviation(square, count),
            deviation(squares[slot], counts[slot])
        )
        let isStep = isReady && size >= Self.leastStep && size >= Self.leastDeviations * deviation
        let step = LevelStep(
            before: mean,
            after: means[slot],
            replies: Int(ages[slot]) + 1,
            began: now - .milliseconds(Int64(time &- starts[slot]))
        )
        // Its replies were no outliers.
        unrest -= min(unrest, UInt16(unrestShare(of: slot) * 65_535))
        (mean, square, score, count) = (means[slot], squares[slot], scores[slot], counts[slot])
        for older in slot..<8 { scores[older] = -.infinity }
        return isStep ? step : nil
    }

    /// The evidence that runs of outliers do not reach by chance.
    ///
    /// Where many replies lie on another level, as with two paths, four in a row are nothing. Each reply of such a run adds
    /// about seven, and the share of outliers decides how long runs become.
    private func evidence(against slot: Int) -> Float {
        let share = Float(unrest) / 65_535 - unrestShare(of: slot)
        return min(Self.mostEvidence, Self.unrestEvidence * (share - Self.calmShare))
    }

    /// The part of ``unrest`` that are replies of a candidate: all of them if it has another level, about half if it only
    /// is wider than the current segment.
    private func unrestShare(of slot: Int) -> Float {
        let isWider = abs(means[slot] - mean) < 2 * deviation(squares[slot], counts[slot])
        return Float(counts[slot]) / Self.unrestMemory * (isWider ? 0.5 : 1)
    }

    /// The expected standard deviation of a segment.
    private func deviation(_ square: Float, _ count: UInt8) -> Float {
        let prior = Self.priorShape * Self.priorFactor * noise * noise
        return ((square + 2 * prior) / (Float(count) + 2 * Self.priorShape)).squareRoot()
    }

    /// Moves the typical noise by 1 % toward that of the current segment.
    private mutating func learnNoise() {
        guard count > 10 else { return }
        noise *= square > noise * noise * Float(count) ? 1.01 : 0.990_05
        noise = max(noise, 1e-6)
    }
}
