extension Roster {
    /// Returns the roster as it was at a past time, after all that was known then. The targets are the present ones without
    /// those that were added later; what is not known of them then is unknown.
    ///
    /// - Precondition: The roster keeps its past.
    package func rewound(to time: Duration) -> Roster {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        let conditions = timeline.conditions(at: time)
        var past = self
        let existing = states.filter { timeline.start(of: $0.id).map { $0 <= time } ?? true }
        past.states = TargetStates(existing.map { $0.rewound(to: time, conditions[$0.id]) })
        if existing.count < states.count { past.findPositions() }
        past.vantage.recount(past.states)
        return past
    }

    /// When a target was added, since the start of the program: zero for the targets of the first settings.
    ///
    /// - Precondition: The roster keeps its past.
    package func start(of id: Target.ID) -> Duration {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        return timeline.start(of: id) ?? .zero
    }

    /// Returns what this run of the program knows about the past of targets: their spans until a time, in wall time. They
    /// begin with the run, or with the oldest event that is kept.
    ///
    /// - Precondition: The roster keeps its past.
    package func spans(of ids: [Target.ID], until now: Duration, wall: WallTime) -> [Target.ID: [WatchedSpan]] {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        return timeline.spans(of: ids, until: now).mapValues { spans in
            spans.map { span in
                var span = span
                (span.start, span.end) = (wall.start + span.start, wall.start + span.end)
                span.firstReply = span.firstReply.map { wall.start + $0 }
                return span
            }
        }
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
