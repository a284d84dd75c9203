import Monitoring

extension LogEntry {
    /// Creates the entry of an event from before the start of the program; nil if its target no longer exists.
    init?(_ stored: TargetEvent, in roster: Roster, wall: WallTime) {
        guard let name = stored.target.flatMap({ roster[$0]?.target.label }) else { return nil }
        let event = stored.event
        let subject: Subject =
            switch event.kind {
            case .transition: .health(name: name, Transition(event, wall: wall))
            case .hook: .hook(name: name, isSuccess: event.isSuccess)
            case .blocked: .blocked(name: name)
            case .flapping: .flapping(name: name)
            case .fault: .fault(name: name)
            default: .target(name: name)
            }
        self.init(event.time - wall.start, subject, event.summary)
    }
}

extension Transition {
    /// The transition of a stored event, without the number of its outcomes.
    fileprivate init(_ event: HistoryEvent, wall: WallTime) {
        self.init(
            from: event.from ?? .unknown,
            to: event.to ?? .unknown,
            time: event.time - wall.start,
            began: (event.since ?? event.time) - wall.start,
            lasted: event.length ?? .zero,
            cause: event.to == .down ? .losses(1, nil) : .replies(1)
        )
    }
}
