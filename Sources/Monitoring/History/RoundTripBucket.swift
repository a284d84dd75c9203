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
