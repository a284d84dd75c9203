/// The record of one finished probe.
public struct Observation: Sendable, Hashable, Codable {
    /// The target that was probed.
    public let target: Target.ID
    /// The number of the probe, counted from one for each target.
    public let sequence: Int
    /// Nanoseconds from the start of the program until the outcome was known.
    let timeNanoseconds: Int64
    /// Nanoseconds from the start of the program until the probe was sent.
    let sentNanoseconds: Int64
    /// The outcome.
    public let outcome: Outcome
    /// The numeric address that was probed; nil if the name was not resolved.
    public let address: String?

    /// The record of one finished probe.
    ///
    /// - Parameter sent: when the probe was sent; nil if the outcome was known at once.
    public init(
        target: Target.ID,
        sequence: Int,
        sent: Duration? = nil,
        time: Duration,
        outcome: Outcome,
        address: String? = nil
    ) {
        self.target = target
        self.sequence = sequence
        timeNanoseconds = time.nanoseconds
        sentNanoseconds = sent?.nanoseconds ?? timeNanoseconds
        self.outcome = outcome
        self.address = address
    }

    /// When the outcome was known, since the start of the program.
    public var time: Duration { .nanoseconds(timeNanoseconds) }

    /// When the probe was sent, since the start of the program.
    public var sent: Duration { .nanoseconds(sentNanoseconds) }
}
