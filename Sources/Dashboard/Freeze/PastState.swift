import Monitoring

/// How a target was at a past moment, as far as that is still known.
enum PastState: Sendable, Hashable {
    /// As it was when the screen was frozen, since before that moment: paused, blocked or of this health.
    case same
    /// It had this health, since then.
    case health(Health, since: Duration)
    /// Nobody judged it, or the events that would tell are no longer kept.
    case notKnown
}

extension Model {
    /// How a target was at a moment, by the changes of its health that the events keep.
    func state(of standing: Standing, at moment: Duration) -> PastState {
        if standing.since <= moment { return .same }
        // Paused or blocked since, but judged before.
        if standing.judge.since <= moment { return .health(standing.health, since: standing.judge.since) }
        let label = standing.target.label
        let next = log.entries.lazy.compactMap { entry -> Transition? in
            guard case .health(label, let transition) = entry.subject, transition.began > moment else { return nil }
            return transition
        }.first
        // What the next change ended may have begun later: between lies a pause.
        guard let next, next.start <= moment, next.from != .unknown else { return .notKnown }
        return .health(next.from, since: next.start)
    }
}
