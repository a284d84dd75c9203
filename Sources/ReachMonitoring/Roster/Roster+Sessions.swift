extension Roster {
    /// Records a state of the session. Another attempt between two equal failures is not reported.
    mutating func record(
        _ state: SessionState,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        if states[position].session != state {
            states[position].set(\.sessionSince, to: time)
            states[position].set(\.session, to: state)
            remember(position, at: time)
        }
        switch state {
        case .setup, .preparing, .cancelled:
            break
        case .ready, .waiting, .failed:
            guard states[position].isProbed, states[position].reportedSession != state else { return }
            states[position].reportedSession = state
            consequences.report(.session(state), of: [states[position].id], at: time)
        }
    }
}
