/// What an outcome says about the way to the target.
enum Arrival: Sendable, Hashable {
    /// The host answers, properly or not.
    case answers
    /// Something refuses the packets: the host, or a packet filter before it.
    case refuses
    /// No answer, or a router that has no way.
    case lost
}

extension Outcome {
    /// What the outcome says about the way to the target; nil if it says nothing.
    var arrival: Arrival? {
        switch self {
        case .reply: .answers
        case .timeout: .lost
        case .fault: nil
        case .failure(let failure): failure.arrival
        }
    }
}

extension Failure {
    /// Whether the failure may be one of this machine, which had no route: a router does not report it by its name.
    var mayBeLocal: Bool {
        switch reason {
        case .noRoute, .linkDown: true
        case .networkUnreachable: reporter == nil
        default: false
        }
    }

    /// What the failure says about the way to the target; nil if it says nothing.
    var arrival: Arrival? {
        switch reason {
        case .hostUnreachable, .networkUnreachable, .ttlExceeded, .noRoute, .linkDown: .lost
        // A router on the way reports it.
        case .prohibited where reporter != nil: .lost
        case .refused, .reset, .closed, .prohibited: .refuses
        case .nameNotFound, .resolverFailed, .exitStatus, .quorum: nil
        case .tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .httpStatus, .httpBody,
            .answerMismatch, .protocolError, .serverError, .loginFailed:
            .answers
        }
    }

    /// Whether this machine had no route for a probe of a method, as far as the reason tells.
    func isLocal(of method: Method) -> Bool {
        mayBeLocal && (reason != .networkUnreachable || method == .icmp)
    }
}

extension Observation {
    /// The time within which only this machine itself can report an error.
    private static let localTime = Duration.microseconds(300)

    /// Whether this machine had no route for the probe. Only echo requests tell errors of routers from those of this machine;
    /// for other methods, the time does.
    func isUnroutable(by method: Method) -> Bool {
        guard case .failure(let failure) = outcome, failure.mayBeLocal else { return false }
        return failure.isLocal(of: method) || time - sent < Self.localTime
    }
}

extension TargetState {
    /// What the present losses say about the way to the target; nil if they say nothing.
    var arrival: Arrival? { failure.map(\.arrival) ?? .lost }

    /// The family of the address that is probed; IPv4 as long as a name is not resolved.
    var probedFamily: Family { (address ?? target.question.host ?? "").contains(":") ? .v6 : .v4 }
}

extension Blocker {
    /// Whether the target is blocked since the way to it is interrupted. It is probed nevertheless.
    package var isSide: Bool {
        if case .side = self { true } else { false }
    }
}
