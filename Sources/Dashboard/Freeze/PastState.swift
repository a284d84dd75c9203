import Monitoring

/// The health of a target at a past time, as far as the events still show it.
enum PastState: Sendable, Hashable {
    /// The same as at the time of freezing, since before that time: paused, blocked or the current health.
    case unchanged
    /// This health, since `since`.
    case health(Health, since: Duration)
    /// The target had no verdict, or its events have been dropped from the log.
    case unknown
}

extension Model {
    /// The health of a target at a past time, from the transitions in the event log.
    func state(of state: TargetState, at time: Duration) -> PastState {
        if state.since <= time { return .unchanged }
        // The target was paused or blocked later, but had a verdict before.
        if state.judge.since <= time { return .health(state.health, since: state.judge.since) }
        let label = state.target.label
        let next = log.entries.lazy.compactMap { entry -> Transition? in
            guard case .health(label, let transition) = entry.subject, transition.began > time else { return nil }
            return transition
        }.first
        // The health that the next transition ended may have begun later than `time`, after a pause.
        guard let next, next.start <= time, next.from != .unknown else { return .unknown }
        return .health(next.from, since: next.start)
    }
}
