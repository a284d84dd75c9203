/// A probe's record.
public struct Observation: Sendable, Hashable {
    /// Who was asked.
    public let target: Target.ID
    /// Which of the target's probes this was, counted from one.
    public let sequence: Int
    /// When the outcome was known, since the start of the program.
    public let time: Duration
    /// How it ended.
    public let outcome: Outcome
    /// The numeric address that was asked, where the name could be resolved.
    public let address: String?

    /// The record of one finished probe.
    public init(target: Target.ID, sequence: Int, time: Duration, outcome: Outcome, address: String? = nil) {
        self.target = target
        self.sequence = sequence
        self.time = time
        self.outcome = outcome
        self.address = address
    }
}
