/// A probe's record.
public struct Observation: Sendable, Hashable {
    /// Who was asked.
    public let target: Target.ID
    /// Which of the target's probes this was, counted from one.
    public let sequence: Int
    /// Nanoseconds from the start of the program until the outcome was known.
    let timeNanoseconds: Int64
    /// Nanoseconds from the start of the program until the probe was sent.
    let sentNanoseconds: Int64
    /// How it ended.
    public let outcome: Outcome
    /// The numeric address that was asked, where the name could be resolved.
    public let address: String?

    /// The record of one finished probe.
    ///
    /// - Parameter sent: when the probe was sent; absent where the outcome was known at once.
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
