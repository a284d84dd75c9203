/// Up to 64 samples in 56 bytes, with reduced precision.
///
/// A loss stays a loss, and a reply a reply. The shortest and the longest round trip are exact. Those in between are
/// rounded up to one of fourteen steps, which are closer together at the short end, so that no round trip is shown
/// shorter than it was. The times are spread evenly from the first sample to the last; the caller splits samples that
/// are not evenly spaced.
struct PackedSamples: Sendable {
    static let capacity = 64

    /// The number of the first sample, counted from the first that was ever packed.
    let ordinal: UInt32
    /// Nanoseconds of the first sample's time; `span` reaches to the last one's.
    let start: Int64
    let span: PackedRoundTrip
    let shortest: PackedRoundTrip
    let longest: PackedRoundTrip
    /// Four bits for each sample.
    private(set) var steps: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    private static let loss: UInt64 = 15
    private static let replyWithoutRoundTrip: UInt64 = 14
    private static let top: UInt64 = 13

    /// Packs samples, at least one and at most 64, oldest first.
    init(_ samples: some RandomAccessCollection<Sample>, ordinal: UInt32) {
        self.ordinal = ordinal
        start = samples.first?.timeNanoseconds ?? 0
        span = PackedRoundTrip(nanoseconds: (samples.last?.timeNanoseconds ?? start) - start)
        var (least, most) = (Int64.max, Int64.min)
        for sample in samples {
            guard let value = sample.nanoseconds else { continue }
            (least, most) = (min(least, value), max(most, value))
        }
        let isAnswered = least <= most
        shortest = isAnswered ? PackedRoundTrip(nanoseconds: least) : .loss
        longest = isAnswered ? PackedRoundTrip(nanoseconds: most) : .loss

        var word: UInt64 = 0
        for (index, sample) in samples.enumerated() {
            word |= Self.step(of: sample, from: least, to: most) << UInt64(index % 16 * 4)
            guard index % 16 == 15 || index == samples.count - 1 else { continue }
            switch index / 16 {
            case 0: steps.0 = word
            case 1: steps.1 = word
            case 2: steps.2 = word
            default: steps.3 = word
            }
            word = 0
        }
    }

    /// Creates a block from its parts.
    init(
        start: Int64,
        span: PackedRoundTrip,
        shortest: PackedRoundTrip,
        longest: PackedRoundTrip,
        steps: (UInt64, UInt64, UInt64, UInt64)
    ) {
        ordinal = 0
        (self.start, self.span, self.shortest, self.longest, self.steps) = (start, span, shortest, longest, steps)
    }

    private static func step(of sample: Sample, from least: Int64, to most: Int64) -> UInt64 {
        if sample.isLoss { return loss }
        guard let value = sample.nanoseconds else { return replyWithoutRoundTrip }
        guard value > least else { return 0 }
        let share = Double(value - least) / Double(most - least)
        var step = UInt64(share.squareRoot() * Double(top))
        while step < top, height(of: step, from: least, to: most) < value { step += 1 }
        return step
    }

    /// The round trip of a step; the steps grow quadratically.
    private static func height(of step: UInt64, from least: Int64, to most: Int64) -> Int64 {
        guard step < top else { return most }
        return least + Int64(Double(most - least) * (Double(step * step) / Double(top * top)))
    }

    /// One of the samples.
    ///
    /// - Parameter count: the number of samples in the block.
    func sample(_ index: Int, of count: Int) -> Sample {
        let whole = span.nanoseconds ?? 0
        let time = count > 1 ? start + Int64(Double(whole) * Double(index) / Double(count - 1)) : start
        return Sample(time: time, packed: packedRoundTrip(at: index))
    }

    private func packedRoundTrip(at index: Int) -> PackedRoundTrip {
        let word =
            switch index / 16 {
            case 0: steps.0
            case 1: steps.1
            case 2: steps.2
            default: steps.3
            }
        switch word >> UInt64(index % 16 * 4) & 15 {
        case Self.loss: return .loss
        case Self.replyWithoutRoundTrip: return .replyWithoutRoundTrip
        case 0: return shortest
        case Self.top: return longest
        case let step:
            let (least, most) = (shortest.nanoseconds ?? 0, longest.nanoseconds ?? 0)
            return PackedRoundTrip(nanoseconds: Self.height(of: step, from: least, to: most))
        }
    }
}
