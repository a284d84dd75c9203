/// A change of health: from, to, when, why, and how long the old one lasted.
public struct Transition: Sendable, Hashable {
    /// The health before.
    public let from: Health
    /// The health since.
    public let to: Health
    /// When it changed, since the start of the program.
    public let time: Duration
    /// How long the health before had lasted.
    public let lasted: Duration
    /// What brought it about.
    public let cause: Cause

    /// A change of health.
    public init(from: Health, to: Health, time: Duration, lasted: Duration, cause: Cause) {
        self.from = from
        self.to = to
        self.time = time
        self.lasted = lasted
        self.cause = cause
    }

    /// When the health before had begun.
    public var start: Duration {
        time - lasted
    }

    /// Why the target does not answer, when it does not and something said so.
    public var failure: Failure? {
        guard case .losses(_, let failure) = cause else { return nil }
        return failure
    }

    /// How long the outage lasted that this transition ends.
    public var outage: Duration? {
        from == .down ? lasted : nil
    }
}
