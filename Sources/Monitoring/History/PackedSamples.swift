/// Up to 64 samples in 56 bytes: every one of them, but less exactly.
///
/// A loss stays a loss, and a reply a reply. The shortest and the longest round trip are exact; what lies between is
/// rounded up to one of fourteen steps, which are closer together at the short end, so that no round trip is shown
/// shorter than it was. The times are spread evenly from the first sample to the last, which is for the maker to see to.
struct PackedSamples: Sendable {
    static let capacity = 64

    /// Which the first sample is, counted from the first that was ever packed.
    let ordinal: UInt32
    /// Nanoseconds of the first sample's time, and from there to the last one's.
    private let start: Int64
    private let span: Trace
    private let shortest: Trace
    private let longest: Trace
    /// Four bits for each sample.
    private var steps: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    private static let loss: UInt64 = 15
    private static let replyWithoutRoundTrip: UInt64 = 14
    private static let top: UInt64 = 13

    /// Packs samples, at least one and at most 64, oldest first.
    init(_ samples: some RandomAccessCollection<Sample>, ordinal: UInt32) {
        self.ordinal = ordinal
        start = samples.first?.timeNanoseconds ?? 0
        span = Trace(nanoseconds: (samples.last?.timeNanoseconds ?? start) - start)
        var (least, most) = (Int64.max, Int64.min)
        for sample in samples {
            guard let value = sample.nanoseconds else { continue }
            (least, most) = (min(least, value), max(most, value))
        }
        let isAnswered = least <= most
        shortest = isAnswered ? Trace(nanoseconds: least) : .loss
        longest = isAnswered ? Trace(nanoseconds: most) : .loss

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

    private static func step(of sample: Sample, from least: Int64, to most: Int64) -> UInt64 {
        if sample.isLoss { return loss }
        guard let value = sample.nanoseconds else { return replyWithoutRoundTrip }
        guard value > least else { return 0 }
        let share = Double(value - least) / Double(most - least)
        var step = UInt64(share.squareRoot() * Double(top))
        while step < top, height(of: step, from: least, to: most) < value { step += 1 }
        return step
    }

    /// The round trip that a step stands for: the steps grow by a square.
    private static func height(of step: UInt64, from least: Int64, to most: Int64) -> Int64 {
        guard step < top else { return most }
        return least + Int64(Double(most - least) * (Double(step * step) / Double(top * top)))
    }

    /// One of the samples.
    ///
    /// - Parameter count: how many there are.
    func sample(_ index: Int, of count: Int) -> Sample {
        let whole = span.nanoseconds ?? 0
        let time = count > 1 ? start + Int64(Double(whole) * Double(index) / Double(count - 1)) : start
        return Sample(time: time, trace: trace(index))
    }

    private func trace(_ index: Int) -> Trace {
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
            return Trace(nanoseconds: Self.height(of: step, from: least, to: most))
        }
    }
}
