import Monitoring

/// The course of one session: findings go in, states come out. It has no socket, no clock and no listener.
struct SessionCourse: Sendable {
    private(set) var state = Session.State.setup
    /// Whether the states of a connection are told. Before that, the name leads nowhere yet.
    private(set) var isHeld = false
    /// Why nothing leads out of this machine, while nothing does.
    private var lack: Failure?

    /// Whether the connection stands.
    var isOnline: Bool {
        if case .ready = state { true } else { false }
    }

    /// Somebody wants to know.
    ///
    /// - Returns: The new state; nil where it is none.
    mutating func begin() -> Session.State? {
        state == .setup ? enter(.preparing) : nil
    }

    /// Nobody wants to know any more.
    mutating func end() {
        guard state != .cancelled else { return }
        self = SessionCourse()
    }

    /// The session is wanted no more, for good.
    ///
    /// - Returns: The new state; nil where it is none.
    mutating func cancel() -> Session.State? {
        enter(.cancelled)
    }

    /// Takes a finding of the session into account.
    ///
    /// - Returns: The new state; nil where it is none.
    mutating func record(_ finding: Finding) -> Session.State? {
        guard state != .setup, state != .cancelled else { return nil }
        switch finding {
        case .session(_, let state, let address, _):
            return record(state, address: address)
        case .observation(let observation):
            // Of a connection, its own states tell: an observation may be about an earlier one.
            guard !isHeld, let cause = SessionState.Cause(observation.outcome) else { return nil }
            return enter(lack.map { .waiting($0) } ?? .failed(cause))
        case .link(let isUp, _):
            lack = isUp ? nil : Failure(.networkUnreachable, detail: "nothing leads out of this machine")
            return nil
        case .late, .duplicate, .addressChanged, .addresses, .stalled:
            return nil
        }
    }

    private mutating func record(_ state: SessionState, address: String?) -> Session.State? {
        isHeld = true
        return switch state {
        case .setup, .cancelled: nil
        case .preparing: enter(.preparing)
        case .waiting(let failure): enter(.waiting(failure))
        case .ready: enter(.ready(address: address ?? ""))
        case .failed(let cause): enter(.failed(cause))
        }
    }

    private mutating func enter(_ new: Session.State) -> Session.State? {
        guard state != new, state != .cancelled else { return nil }
        state = new
        return new
    }
}
