/// The health of a target, decided from its streaks of outcomes.
public enum Health: String, Sendable, Hashable, Codable, CaseIterable {
    /// No verdict yet.
    case unknown
    /// The target replies.
    case up
    /// The target replies, but slowly, with loss or with a warning.
    case degraded
    /// The target does not reply.
    case down

    /// Whether the target replies.
    public var isReachable: Bool {
        self == .up || self == .degraded
    }
}

/// A pending change of health: a streak is running, but below its threshold.
public struct Pending: Sendable, Hashable {
    /// The health that the streak leads to.
    public let toward: Health
    /// Outcomes in a row so far.
    public let streak: Int
    /// Outcomes in a row that change the health.
    public let threshold: Int

    /// Creates a pending change of health.
    public init(toward: Health, streak: Int, threshold: Int) {
        self.toward = toward
        self.streak = streak
        self.threshold = threshold
    }
}

/// The thresholds at which a streak of outcomes changes the health of a target.
public struct Thresholds: Sendable, Hashable, Codable {
    /// The number of finished probes for the loss rate of ``lossy``.
    public static let lossyWindow = 20

    /// Replies in a row that take a target from down to up (the term is HAProxy's).
    public var rise: Int
    /// Losses in a row that take a target down (the term is HAProxy's).
    public var fall: Int
    /// Slow replies in a row that enter `degraded`, and quick replies in a row that leave it. With 0, a target is degraded
    /// until its first quick reply, and never after it: losses do not count, as for a fixed number of probes.
    public var slowStreak: Int
    /// The longest round trip of a reply that is not slow.
    public var slow: Duration?
    /// The loss rate over the last twenty probes, 0…1, above which a target that replies is degraded.
    public var lossy: Double?

    /// Creates thresholds. By default, one reply means up, and three losses mean down.
    public init(rise: Int = 1, fall: Int = 3, slowStreak: Int = 3, slow: Duration? = nil, lossy: Double? = nil) {
        self.rise = rise
        self.fall = fall
        self.slowStreak = slowStreak
        self.slow = slow
        self.lossy = lossy
    }
}

/// A change of health.
public struct Transition: Sendable, Hashable, Codable {
    /// The health before.
    public let from: Health
    /// The health after.
    public let to: Health
    /// When the verdict was given, since the start of the program.
    public let time: Duration
    /// When the new health began: an outage when its first lost probe was sent, a recovery when its first reply
    /// arrived, a change between up and degraded when its newest answered probe was sent, other changes at ``time``.
    public let began: Duration
    /// How long the previous health lasted, until the new one began.
    public let lasted: Duration
    /// The cause.
    public let cause: Cause
    /// The round trip of the newest reply that came after its timeout, if timeouts took the target down while their replies
    /// came late; nil otherwise.
    package private(set) var lateRoundTrip: Duration?
    /// The last certificate of a target that went down, and when it expires or expired, in seconds since 1970; nil without one.
    package private(set) var certificate: CertificateIdentity?
    package private(set) var certificateExpiry: Int64?
    /// The path to a target that went down, as a trace found it since the outage began; nil if none was done.
    package private(set) var path: TracedPath?

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
        // Decoded times may be any.
        let (start, overflows) = began.nanoseconds.subtractingReportingOverflow(lasted.nanoseconds)
        return .nanoseconds(overflows ? (lasted < .zero ? .max : .min) : start)
    }

    /// The same transition with another end of the health before.
    func ending(at end: Duration) -> Transition {
        Transition(from: from, to: to, time: time, began: end, lasted: end - start, cause: cause)
            .withLateReply(after: lateRoundTrip).with(certificate, expiry: certificateExpiry).with(path)
    }

    /// The same transition with another beginning of the health before.
    func beginning(at start: Duration) -> Transition {
        Transition(from: from, to: to, time: time, began: began, lasted: began - start, cause: cause)
            .withLateReply(after: lateRoundTrip).with(certificate, expiry: certificateExpiry).with(path)
    }

    /// The same transition with the round trip of late replies, if timeouts are its cause.
    func withLateReply(after roundTrip: Duration?) -> Transition {
        guard let roundTrip, case .losses(_, nil) = cause else { return self }
        var transition = self
        transition.lateRoundTrip = roundTrip
        return transition
    }

    /// The same transition with the certificate, if the target went down.
    func with(_ certificate: CertificateIdentity?, expiry: Int64?) -> Transition {
        guard to == .down else { return self }
        var transition = self
        (transition.certificate, transition.certificateExpiry) = (certificate, failure?.certificateExpiry ?? expiry)
        return transition
    }

    /// The same transition with the path to the target.
    package func with(_ path: TracedPath?) -> Transition {
        var transition = self
        transition.path = path
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
public enum Cause: Sendable, Hashable {
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
