/// A histogram of round trips with log-linear buckets, for the percentiles of any number of them, after Gil Tene's
/// HdrHistogram (https://hdrhistogram.github.io/HdrHistogram/).
///
/// A percentile is the middle of the ``RoundTripBucket`` with the round trip of that rank. Its relative error is at most
/// 1/64, less than 1.6 %.
///
/// The buckets are in blocks of 16, half a power of two. A block takes its 64 bytes with its first round trip: about 240
/// bytes for a steady target, 400 if its round trips vary by a factor of four, at most 4 KB.
struct RoundTripSketch: Sendable, Hashable {
    /// A bit for each block that has round trips.
    private var blocks: UInt64 = 0
    /// The number of round trips in each bucket of these blocks, in ascending order.
    private var counts: [UInt32] = []

    /// The binary logarithm of the number of buckets in a block.
    private static let blockDigits = 4
    private static let bucketsPerBlock = 1 << blockDigits

    /// Records a round trip.
    mutating func record(nanoseconds: Int64) {
        let bucket = RoundTripBucket(nanoseconds: nanoseconds).number
        let block = bucket >> Self.blockDigits
        if blocks & 1 << UInt64(block) == 0 { insert(block: block) }
        let index = slot(ofBlock: block) << Self.blockDigits | bucket & (Self.bucketsPerBlock - 1)
        let count = counts[index]
        if count < .max { counts[index] = count + 1 }
    }

    /// The percentile by nearest rank, in nanoseconds; nil before the first round trip.
    ///
    /// - Parameter percent: 0…100.
    func percentile(_ percent: Int) -> Int64? {
        var rest = counts.reduce(0) { $0 + Int($1) }.rank(ofPercentile: percent)
        for (index, number) in counts.enumerated() {
            rest -= Int(number)
            if rest <= 0 { return middle(ofBucketAt: index) }
        }
        return nil
    }

    /// The middle of the bucket of a count, in nanoseconds.
    private func middle(ofBucketAt index: Int) -> Int64 {
        var rest = blocks
        for _ in 0..<index >> Self.blockDigits { rest &= rest - 1 }
        let bucket = rest.trailingZeroBitCount << Self.blockDigits | index & (Self.bucketsPerBlock - 1)
        return RoundTripBucket(number: bucket)?.nanoseconds ?? 0
    }

    /// The number of blocks before this one.
    private func slot(ofBlock block: Int) -> Int {
        (blocks & (1 << UInt64(block) - 1)).nonzeroBitCount
    }

    private mutating func insert(block: Int) {
        let start = slot(ofBlock: block) << Self.blockDigits
        // Inserting into the array could double its capacity.
        var grown: [UInt32] = []
        grown.reserveCapacity(counts.count + Self.bucketsPerBlock)
        grown += counts[..<start]
        grown += repeatElement(0, count: Self.bucketsPerBlock)
        grown += counts[start...]
        counts = grown
        blocks |= 1 << UInt64(block)
    }
}

/// A log-linear bucket of round trips: the nanoseconds from 2ᵉ to 2ᵉ⁺¹ are divided into 32 buckets of equal width.
///
/// The middle of a bucket differs from each of its round trips by at most 1/64, less than 1.6 %. Below 1.024 µs and
/// above 73 minutes, round trips count as these.
package struct RoundTripBucket: Sendable, Hashable, Comparable {
    private let code: UInt16
    /// The number, 0…1023, ascending with the round trips.
    package var number: Int { Int(code) }

    /// The number of buckets.
    package static let count = 32 << digits
    /// The binary logarithm of the number of buckets in a power of two.
    private static let digits = 5
    /// The binary logarithm of the shortest round trip.
    private static let firstPower = 10
    private static let shortest = Int64(1) << Int64(firstPower)
    private static let longest = Int64(1) << Int64(firstPower + 32) - 1

    /// The bucket of a number; nil if there is none.
    package init?(number: Int) {
        guard (0..<Self.count).contains(number) else { return nil }
        code = UInt16(number)
    }

    /// The bucket of a round trip.
    package init(nanoseconds: Int64) {
        let value = min(max(nanoseconds, Self.shortest), Self.longest)
        let power = Int64.bitWidth - 1 - value.leadingZeroBitCount
        // The digits after the leading one.
        let step = Int(truncatingIfNeeded: value >> Int64(power - Self.digits)) - 1 << Self.digits
        code = UInt16(truncatingIfNeeded: (power - Self.firstPower) << Self.digits | step)
    }

    /// The bucket of a round trip.
    package init(_ roundTrip: Duration) {
        self.init(nanoseconds: roundTrip.nanoseconds)
    }

    /// The middle of the bucket, in nanoseconds.
    package var nanoseconds: Int64 {
        let shift = Int64(number >> Self.digits + Self.firstPower - Self.digits)
        let step = Int64(1 << Self.digits | number & (1 << Self.digits - 1))
        return step << shift + 1 << (shift - 1)
    }

    /// The middle of the bucket.
    package var roundTrip: Duration { .nanoseconds(nanoseconds) }

    package static func < (one: RoundTripBucket, other: RoundTripBucket) -> Bool {
        one.number < other.number
    }
}
