/// A change of health: from, to, when, why, and how long the old one lasted.
public struct Transition: Sendable, Hashable {
    /// The health before.
    public let from: Health
    /// The health since.
    public let to: Health
    /// When the verdict was given, since the start of the program.
    public let time: Duration
    /// When the new health began: for an outage when its first lost probe was sent, for the end of one when its first
    /// reply came, otherwise ``time``.
    public let began: Duration
    /// How long the health before had lasted when the new one began.
    public let lasted: Duration
    /// What brought it about.
    public let cause: Cause

    /// A change of health, which began when the verdict was given unless told otherwise.
    public init(
        from: Health,
        to: Health,
        time: Duration,
        began: Duration? = nil,
        lasted: Duration,
        cause: Cause
    ) {
        self.from = from
        self.to = to
        self.time = time
        self.began = began ?? time
        self.lasted = lasted
        self.cause = cause
    }

    /// When the health before had begun.
    public var start: Duration {
        began - lasted
    }

    /// Why the target does not answer, when it does not and something said so.
    public var failure: Failure? {
        guard case .losses(_, let failure) = cause else { return nil }
        return failure
    }

    /// How long the outage lasted that this transition ends: from the sending of its first lost probe to the first
    /// reply.
    public var outage: Duration? {
        from == .down && to.isReachable ? lasted : nil
    }
}
