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
        case .failure(let failure):
            switch failure.reason {
            case .hostUnreachable, .networkUnreachable, .ttlExceeded, .noRoute, .linkDown: .lost
            case .refused, .reset, .closed, .prohibited: .refuses
            case .nameNotFound, .resolverFailed, .exitStatus, .quorum: nil
            case .tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .httpStatus, .httpBody,
                .answerMismatch, .protocolError, .serverError, .loginFailed:
                .answers
            }
        }
    }

    /// Whether this machine had no route for the probe.
    var isUnroutable: Bool {
        guard case .failure(let failure) = self else { return false }
        return failure.reason == .noRoute || failure.reason == .linkDown
    }
}

extension Blocker {
    /// Whether the target is blocked since the way to it is interrupted. It is probed nevertheless.
    package var isSide: Bool {
        if case .side = self { true } else { false }
    }
}
