/// A finished probe in four bytes: its round trip, a reply without one, or a loss.
///
/// Up to 134 ms the round trip is exact. Above, the upper five bits are a binary exponent for the lower 27. So codes
/// have the same order as their round trips.
struct PackedRoundTrip: Sendable, Hashable {
    let code: UInt32

    private static let digits = 27
    /// Four years, longer than any timeout.
    private static let longest = Int64(1) << 57 - 1

    /// A loss.
    static let loss = PackedRoundTrip(code: .max)
    /// A reply of a method that sends no packet.
    static let replyWithoutRoundTrip = PackedRoundTrip(code: .max - 1)

    init(code: UInt32) {
        self.code = code
    }

    /// Packs a round trip; a negative one becomes zero.
    init(nanoseconds: Int64) {
        let value = min(max(0, nanoseconds), Self.longest)
        let doublings = max(0, Int64.bitWidth - value.leadingZeroBitCount - Self.digits)
        code = UInt32(doublings) << UInt32(Self.digits) | UInt32(truncatingIfNeeded: value >> Int64(doublings))
    }

    /// The round trip in nanoseconds; nil without one.
    var nanoseconds: Int64? {
        guard code < Self.replyWithoutRoundTrip.code else { return nil }
        return Int64(code & (1 << UInt32(Self.digits) - 1)) << Int64(code >> UInt32(Self.digits))
    }
}
