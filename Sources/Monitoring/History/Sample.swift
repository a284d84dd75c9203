/// A finished probe as the history tells of it.
public struct Sample: Sendable, Hashable {
    /// Nanoseconds from the start of the program until the outcome was known.
    let timeNanoseconds: Int64
    /// Nanoseconds of the round trip, or one of the codes below it.
    private let code: Int64

    private static let loss: Int64 = -1
    private static let replyWithoutRoundTrip: Int64 = -2

    /// A reply, or a loss where `roundTrip` is nil.
    public init(time: Duration, roundTrip: Duration?) {
        timeNanoseconds = time.nanoseconds
        code = roundTrip.map { max(0, $0.nanoseconds) } ?? Self.loss
    }

    /// A reply to a question for which nothing travels.
    public init(replyWithoutRoundTripAt time: Duration) {
        timeNanoseconds = time.nanoseconds
        code = Self.replyWithoutRoundTrip
    }

    init(time nanoseconds: Int64, trace: Trace) {
        timeNanoseconds = nanoseconds
        code = trace == .loss ? Self.loss : trace.nanoseconds ?? Self.replyWithoutRoundTrip
    }

    /// When the outcome was known, since the start of the program.
    public var time: Duration { .nanoseconds(timeNanoseconds) }

    /// Whether the probe was finished and unanswered.
    public var isLoss: Bool { code == Self.loss }

    /// The round trip of a reply; nil when the probe was lost, or nothing travelled.
    public var roundTrip: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The round trip in nanoseconds.
    var nanoseconds: Int64? { code < 0 ? nil : code }

    /// What the history keeps of it beside its time.
    var trace: Trace {
        isLoss ? .loss : nanoseconds.map { Trace(nanoseconds: $0) } ?? .replyWithoutRoundTrip
    }
}
