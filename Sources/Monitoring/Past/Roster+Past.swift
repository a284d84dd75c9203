extension Roster {
    /// Returns the roster as it was at a past time, after all that was known then. The targets are the present ones; what
    /// is not known of them then is unknown.
    ///
    /// - Precondition: The roster keeps its past.
    package func rewound(to time: Duration) -> Roster {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        let conditions = timeline.conditions(at: time)
        var past = self
        past.states = TargetStates(states.map { $0.rewound(to: time, conditions[$0.id]) })
        past.vantage.recount(past.states)
        return past
    }

    /// Remembers the condition of a target, if the roster keeps its past.
    mutating func remember(_ position: Int, at time: Duration) {
        timeline?.record(Condition(states[position]), of: states[position].id, at: time)
    }

    /// Remembers a target after a finished probe, if the failure or what the reply says is new.
    mutating func rememberAnswer(of position: Int, at time: Duration) {
        guard let timeline else { return }
        let isKnown = timeline.newestCondition(of: states[position].id).map { states[position].tellsNoMore(than: $0) }
        if isKnown != true { remember(position, at: time) }
    }
}
