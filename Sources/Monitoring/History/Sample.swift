/// A finished probe as the history has it.
public struct Sample: Sendable, Hashable {
    /// Nanoseconds from the start of the program until the outcome was known.
    let timeNanoseconds: Int64
    /// What came of it.
    let trace: Trace

    /// A reply, or a loss where `roundTrip` is nil. What is longer than an eighth of a second keeps eight digits.
    public init(time: Duration, roundTrip: Duration?) {
        self.init(time: time.nanoseconds, trace: roundTrip.map { Trace(nanoseconds: $0.nanoseconds) } ?? .loss)
    }

    /// A reply to a question for which nothing travels.
    public init(replyWithoutRoundTripAt time: Duration) {
        self.init(time: time.nanoseconds, trace: .replyWithoutRoundTrip)
    }

    init(time nanoseconds: Int64, trace: Trace) {
        timeNanoseconds = nanoseconds
        self.trace = trace
    }

    /// When the outcome was known, since the start of the program.
    public var time: Duration { .nanoseconds(timeNanoseconds) }

    /// Whether the probe was finished and unanswered.
    public var isLoss: Bool { trace == .loss }

    /// The round trip of a reply; nil when the probe was lost, or nothing travelled.
    public var roundTrip: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The round trip in nanoseconds.
    var nanoseconds: Int64? { trace.nanoseconds }
}
