/// A change of health.
public struct Transition: Sendable, Hashable, Codable {
    /// The health before.
    public let from: Health
    /// The health after.
    public let to: Health
    /// When the verdict was given, since the start of the program.
    public let time: Duration
    /// When the new health began: an outage when its first lost probe was sent, a recovery when its first reply
    /// arrived, other changes at ``time``.
    public let began: Duration
    /// How long the previous health lasted, until the new one began.
    public let lasted: Duration
    /// The cause.
    public let cause: Cause
    /// The round trip of the newest reply that came after its timeout, if timeouts took the target down while their replies
    /// came late; nil otherwise.
    package private(set) var lateRoundTrip: Duration?

    /// Creates a transition; `began` defaults to `time`.
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

    /// When the previous health began.
    public var start: Duration {
        began - lasted
    }

    /// The same transition with another end of the health before.
    func ending(at end: Duration) -> Transition {
        Transition(from: from, to: to, time: time, began: end, lasted: end - start, cause: cause)
            .withLateReply(after: lateRoundTrip)
    }

    /// The same transition with another beginning of the health before.
    func beginning(at start: Duration) -> Transition {
        Transition(from: from, to: to, time: time, began: began, lasted: began - start, cause: cause)
            .withLateReply(after: lateRoundTrip)
    }

    /// The same transition with the round trip of late replies, if timeouts are its cause.
    func withLateReply(after roundTrip: Duration?) -> Transition {
        guard let roundTrip, case .losses(_, nil) = cause else { return self }
        var transition = self
        transition.lateRoundTrip = roundTrip
        return transition
    }

    /// The failure of the losses; nil for timeouts, or for another cause than losses.
    public var failure: Failure? {
        guard case .losses(_, let failure) = cause else { return nil }
        return failure
    }

    /// The length of the outage that this transition ends, from the sending of its first lost probe to the first reply;
    /// nil for other transitions.
    public var outage: Duration? {
        from == .down && to.isReachable ? lasted : nil
    }
}

/// The cause of a transition.
public enum Cause: Sendable, Hashable, Codable {
    /// A number of replies in a row.
    case replies(Int)
    /// A number of losses in a row, with their failure; nil for timeouts. The reason of the first loss stays until another
    /// one lasts.
    case losses(Int, Failure?)
    /// A number of faults in a row, and the last one.
    case faults(Int, Fault)
    /// Replies over `limit`; the last one took `roundTrip`.
    case slow(roundTrip: Duration, limit: Duration)
    /// Replies with a warning, and the last warning.
    case concern(String)
    /// A loss rate over `limit`, both 0…1.
    case lossy(loss: Double, limit: Double)
}
