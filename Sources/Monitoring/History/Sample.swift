/// A finished probe in the history.
public struct Sample: Sendable, Hashable {
    /// Nanoseconds from the start of the program until the outcome was known.
    package let timeNanoseconds: Int64
    /// Nanoseconds of the round trip, or one of the two codes below.
    private let code: Int64

    private static let loss: Int64 = -1
    private static let replyWithoutRoundTrip: Int64 = -2

    /// Creates a reply, or a loss if `roundTrip` is nil.
    public init(time: Duration, roundTrip: Duration?) {
        timeNanoseconds = time.nanoseconds
        code = roundTrip.map { max(0, $0.nanoseconds) } ?? Self.loss
    }

    /// Creates a reply of a method that sends no packet.
    public init(replyWithoutRoundTripAt time: Duration) {
        timeNanoseconds = time.nanoseconds
        code = Self.replyWithoutRoundTrip
    }

    init(time nanoseconds: Int64, packed: PackedRoundTrip) {
        timeNanoseconds = nanoseconds
        code = packed == .loss ? Self.loss : packed.nanoseconds ?? Self.replyWithoutRoundTrip
    }

    /// When the outcome was known, since the start of the program.
    public var time: Duration { .nanoseconds(timeNanoseconds) }

    /// Whether the probe was lost.
    public var isLoss: Bool { code == Self.loss }

    /// The round trip of a reply; nil for a loss, or for a method that sends no packet.
    public var roundTrip: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The round trip in nanoseconds.
    package var nanoseconds: Int64? { code < 0 ? nil : code }

    /// The packed outcome, without the time.
    var packed: PackedRoundTrip {
        isLoss ? .loss : nanoseconds.map { PackedRoundTrip(nanoseconds: $0) } ?? .replyWithoutRoundTrip
    }
}
