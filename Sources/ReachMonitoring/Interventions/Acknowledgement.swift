/// A note of the user about a failing target: the failure is known. It ends when the target is up again, when its time is
/// over, or when the user removes it.
public struct Acknowledgement: Sendable, Hashable {
    /// The user's note.
    public let reason: String
    /// When the user acknowledged the failure.
    public let since: Duration
    /// How long the acknowledgement holds at most; nil for no limit.
    public let length: Duration?

    /// Creates an acknowledgement.
    public init(reason: String, since: Duration, length: Duration? = nil) {
        self.reason = reason
        self.since = since
        self.length = length
    }

    /// When the time is over; nil for no limit.
    public var deadline: Duration? {
        length.map { since + $0 }
    }

    /// Why an acknowledgement ended.
    public enum End: Sendable, Hashable {
        /// The target is up again, and not flapping.
        case up
        /// Its time is over.
        case expired(after: Duration)
        /// The user removed it.
        case removed
    }
}

extension Roster {
    /// Acknowledges the failure of targets. Targets that do not fail are ignored, unless they are acknowledged already.
    ///
    /// - Parameters:
    ///   - ids: the targets.
    ///   - reason: the user's note.
    ///   - length: how long the acknowledgement holds at most; nil until the target is up again.
    public mutating func acknowledge(
        _ ids: [Target.ID],
        reason: String,
        for length: Duration? = nil,
        at now: Duration
    ) -> Consequences {
        var consequences = Consequences()
        let acknowledgement = Acknowledgement(reason: reason, since: now, length: length)
        for case let position? in ids.map({ positions[$0] }) where states[position].canBeAcknowledged {
            states[position].acknowledgement = acknowledgement
            remember(position, at: now)
            consequences.report(.acknowledged(acknowledgement), of: [states[position].id], at: now)
        }
        return consequences
    }

    /// Removes the acknowledgements of targets.
    public mutating func removeAcknowledgements(of ids: [Target.ID], at now: Duration) -> Consequences {
        var consequences = Consequences()
        for case let position? in ids.map({ positions[$0] }) where states[position].isAcknowledged {
            endAcknowledgement(of: position, because: .removed, at: now, into: &consequences)
        }
        return consequences
    }

    /// Ends the acknowledgement of a target that is up and not flapping.
    mutating func endAcknowledgementIfUp(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        guard states[position].isAcknowledged, states[position].health == .up, !states[position].isFlapping else {
            return
        }
        endAcknowledgement(of: position, because: .up, at: now, into: &consequences)
    }

    /// Ends the acknowledgement of a target if its time is over.
    mutating func expireAcknowledgement(of position: Int, at now: Duration, into consequences: inout Consequences) {
        guard let acknowledgement = states[position].acknowledgement, let length = acknowledgement.length,
            let deadline = acknowledgement.deadline, deadline <= now
        else { return }
        endAcknowledgement(of: position, because: .expired(after: length), at: now, into: &consequences)
    }

    private mutating func endAcknowledgement(
        of position: Int,
        because end: Acknowledgement.End,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        states[position].acknowledgement = nil
        remember(position, at: now)
        consequences.report(.acknowledgementEnded(end), of: [states[position].id], at: now)
    }
}
