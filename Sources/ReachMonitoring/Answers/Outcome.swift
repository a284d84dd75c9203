/// The outcome of a probe. It takes sixteen bytes: thousands cross between event loops at a time, and most are replies.
public enum Outcome: Sendable, Hashable {
    /// The target sent a proper reply.
    case reply(Reply)
    /// No reply arrived within the target's timeout.
    case timeout
    /// The target, or a router in between, rejected the probe, or its reply is wrong.
    indirect case failure(Failure)
    /// This machine could not probe; the target's health stays as it was.
    indirect case fault(Fault)

    /// Creates a reply that carries a round trip and nothing else.
    public static func reply(roundTrip: Duration) -> Outcome {
        .reply(Reply(roundTrip: roundTrip))
    }

    /// Whether the probe counts as a loss: it is finished and has no proper reply.
    public var isLoss: Bool {
        switch self {
        case .timeout, .failure: true
        case .reply, .fault: false
        }
    }

    /// Whether the target sent a proper reply.
    public var isReply: Bool {
        if case .reply = self { true } else { false }
    }
}

/// A message from a prober to the roster. Findings cross from the event loops in batches.
public enum Finding: Sendable, Hashable {
    /// A probe has ended.
    case observation(Observation)
    /// A reply arrived after its probe had timed out, this long after the probe was `sent`; the outcome stays.
    case late(Target.ID, roundTrip: Duration, sent: Duration)
    /// A second reply to one probe arrived; the outcome stays.
    case duplicate(Target.ID)
    /// The target's name resolves to another address than before; known at this time.
    case addressChanged(Target.ID, from: String, to: String, at: Duration)
    /// The addresses of a target that has a row for each address, known at this time; not empty.
    case addresses(Target.ID, [String], at: Duration)
    /// The session of the target changed its state, at this time since the start of the program. A session that is
    /// ready has a numeric address.
    indirect case session(Target.ID, SessionState, address: String? = nil, at: Duration)
    /// This machine gained or lost its last uplink, at this time since the start of the program. Reported again
    /// when links, addresses or routes change.
    case link(isUp: Bool, at: Duration)
    /// Vantage points report on a target of the fleet, received at this time since the start of the program. Vantage
    /// points that are not among them stay as they are.
    case vantageReports(Target.ID, [VantageReport], at: Duration)
    /// These vantage points still report at this time: their recorded reports on all targets are valid, except stale ones.
    case vantagePointsReporting([String], at: Duration)
    /// The path to a target was traced or changed, known at this time.
    indirect case path(Target.ID, PathFinding, at: Duration)
    /// How a lane kept its schedule until this time.
    case schedule(ScheduleReport, lane: Int, at: Duration)
    /// The program did not run for `gap`: probes that were in flight get no outcome.
    case stalled(gap: Duration, at: Duration)
}

extension Finding {
    /// When it was known; nil for one without a time.
    var time: Duration? {
        switch self {
        case .observation(let observation): observation.time
        case .addressChanged(_, _, _, let time), .addresses(_, _, let time), .session(_, _, _, let time),
            .link(_, let time), .vantageReports(_, _, let time), .vantagePointsReporting(_, let time),
            .path(_, _, let time), .schedule(_, _, let time), .stalled(_, let time):
            time
        case .late, .duplicate: nil
        }
    }
}

/// The record of one finished probe.
public struct Observation: Sendable, Hashable {
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

/// The state of a session. The states have the names of `NWConnection.State` in Apple's Network framework.
public enum SessionState: Sendable, Hashable {
    /// No attempt has been made yet.
    case setup
    /// The connection is being established, or its first messages are being exchanged.
    case preparing
    /// This machine has no route to the peer, for this reason; retried.
    case waiting(Failure)
    /// The connection is established, and the peer sent what is expected.
    case ready
    /// The connection failed, or could not be established, with this outcome, which is no reply; retried.
    case failed(Outcome)
    /// The connection is no longer needed.
    case cancelled
}
