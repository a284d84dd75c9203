/// What is kept of a finished probe: its round trip in four bytes, or that there was none.
///
/// Up to 134 ms it is exact; above, the upper five bits say how often the lower 27 are to be doubled. So traces are
/// ordered as their round trips are.
struct Trace: Sendable, Hashable {
    private let code: UInt32

    private static let digits = 27
    /// Four years: more than any probe may take.
    private static let longest = Int64(1) << 57 - 1

    /// The probe was not answered.
    static let loss = Trace(code: .max)
    /// The answer to a question for which nothing travels.
    static let replyWithoutRoundTrip = Trace(code: .max - 1)

    private init(code: UInt32) {
        self.code = code
    }

    /// The trace of a round trip; a negative one counts as none at all.
    init(nanoseconds: Int64) {
        let value = min(max(0, nanoseconds), Self.longest)
        let doublings = max(0, Int64.bitWidth - value.leadingZeroBitCount - Self.digits)
        code = UInt32(doublings) << UInt32(Self.digits) | UInt32(truncatingIfNeeded: value >> Int64(doublings))
    }

    /// The round trip in nanoseconds; nil where there was none.
    var nanoseconds: Int64? {
        guard code < Self.replyWithoutRoundTrip.code else { return nil }
        return Int64(code & (1 << UInt32(Self.digits) - 1)) << Int64(code >> UInt32(Self.digits))
    }
}
