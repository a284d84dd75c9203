/// A finished probe in the history: when its outcome was known, and its packed round trip.
///
/// The form in which samples are passed. ``RecentSamples`` stores samples of one target in eight bytes each,
/// ``PackedSamples`` evenly spaced ones in less than one. A long round trip has the precision of ``PackedRoundTrip``.
public struct Sample: Sendable, Hashable {
    /// Nanoseconds from the start of the program until the outcome was known.
    package let timeNanoseconds: Int64
    /// The outcome without the time.
    package let packed: PackedRoundTrip

    /// Creates a reply, or a loss if `roundTrip` is nil.
    package init(time: Duration, roundTrip: Duration?) {
        self.init(
            time: time.nanoseconds,
            packed: roundTrip.map { PackedRoundTrip(nanoseconds: $0.nanoseconds) } ?? .loss
        )
    }

    /// Creates a reply of a method that sends no packet.
    package init(replyWithoutRoundTripAt time: Duration) {
        self.init(time: time.nanoseconds, packed: .replyWithoutRoundTrip)
    }

    /// The sample of an observation; nil for a fault.
    package init?(_ observation: Observation) {
        timeNanoseconds = observation.timeNanoseconds
        switch observation.outcome {
        case .reply(let reply):
            packed = reply.nanoseconds.map { PackedRoundTrip(nanoseconds: $0) } ?? .replyWithoutRoundTrip
        case .timeout, .failure:
            packed = .loss
        case .fault:
            return nil
        }
    }

    package init(time nanoseconds: Int64, packed: PackedRoundTrip) {
        timeNanoseconds = nanoseconds
        self.packed = packed
    }

    /// When the outcome was known, since the start of the program.
    public var time: Duration { .nanoseconds(timeNanoseconds) }

    /// Whether the probe was lost.
    public var isLoss: Bool { packed == .loss }

    /// The round trip of a reply; nil for a loss, or for a method that sends no packet.
    public var roundTrip: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The round trip in nanoseconds.
    package var nanoseconds: Int64? { packed.nanoseconds }
}

/// Up to 64 samples in 56 bytes, with reduced precision: the older samples of a ``SampleHistory``, and those in the history
/// file.
///
/// A loss stays a loss, and a reply a reply. The shortest and the longest round trip are exact. Those in between are
/// rounded up to one of fourteen steps, which are closer together at the short end, so that no round trip is shown
/// shorter than it was. The times are spread evenly from the first sample to the last; the caller splits samples that
/// are not evenly spaced.
package struct PackedSamples: Sendable {
    package static let capacity = 64

    /// The number of the first sample, counted from the first that was ever packed.
    let ordinal: UInt32
    /// Nanoseconds of the first sample's time; `span` reaches to the last one's.
    package let start: Int64
    package let span: PackedRoundTrip
    package let shortest: PackedRoundTrip
    package let longest: PackedRoundTrip
    /// Four bits for each sample.
    package private(set) var steps: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

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
    package init(
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
    package func sample(_ index: Int, of count: Int) -> Sample {
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

/// A finished probe in four bytes: its round trip, a reply without one, or a loss.
///
/// Up to 134 ms the round trip is exact. Above, the upper five bits are a binary exponent for the lower 27. So codes
/// have the same order as their round trips.
package struct PackedRoundTrip: Sendable, Hashable {
    package let code: UInt32

    private static let digits = 27
    /// Four years, longer than any timeout.
    private static let longest = Int64(1) << 57 - 1

    /// A loss.
    static let loss = PackedRoundTrip(code: .max)
    /// A reply of a method that sends no packet.
    static let replyWithoutRoundTrip = PackedRoundTrip(code: .max - 1)

    package init(code: UInt32) {
        self.code = code
    }

    /// Packs a round trip; a negative one becomes zero.
    package init(nanoseconds: Int64) {
        let value = min(max(0, nanoseconds), Self.longest)
        let doublings = max(0, Int64.bitWidth - value.leadingZeroBitCount - Self.digits)
        code = UInt32(doublings) << UInt32(Self.digits) | UInt32(truncatingIfNeeded: value >> Int64(doublings))
    }

    /// The round trip in nanoseconds; nil without one.
    package var nanoseconds: Int64? {
        guard code < Self.replyWithoutRoundTrip.code else { return nil }
        return Int64(code & (1 << UInt32(Self.digits) - 1)) << Int64(code >> UInt32(Self.digits))
    }
}
