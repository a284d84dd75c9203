/// A finished probe as the history keeps it: sixteen bytes, since a target keeps thousands.
public struct Sample: Sendable, Hashable {
    private let timeNanoseconds: Int64
    /// Nanoseconds of the round trip, or -1 for a loss.
    private let code: Int64

    /// A reply, or a loss where `roundTrip` is nil.
    public init(time: Duration, roundTrip: Duration?) {
        timeNanoseconds = time.nanoseconds
        code = roundTrip.map { max(0, $0.nanoseconds) } ?? -1
    }

    /// When the outcome was known, since the start of the program.
    public var time: Duration { .nanoseconds(timeNanoseconds) }

    /// The round trip of a reply; nil when the probe was lost.
    public var roundTrip: Duration? { code < 0 ? nil : .nanoseconds(code) }
}
