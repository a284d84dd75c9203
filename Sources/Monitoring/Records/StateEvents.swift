/// The events that the present state of each target follows from: its health, pause, block and maintenance.
///
/// A run of the history that begins in the middle of the program's life begins with them, since the state of a target is
/// known only from the events of its run.
package struct StateEvents: Sendable {
    private var events: [Target.ID: [HistoryEvent]] = [:]

    package init() {}

    /// The events of all targets, those of each in the order in which they happened.
    package var all: [TargetEvent] {
        events.sorted { $0.key < $1.key }.flatMap { id, events in events.map { TargetEvent(id, $0) } }
    }

    /// Continues with events. They replace those before that no longer count.
    package mutating func apply(_ new: [TargetEvent]) {
        for event in new {
            if let target = event.target { apply(event.event, to: target) } else { apply(event.event) }
        }
    }

    private mutating func apply(_ event: HistoryEvent, to target: Target.ID) {
        let ended = event.kind.ended
        guard !ended.isEmpty else { return }
        var kept = (events[target] ?? []).filter { !ended.contains($0.kind) }
        if event.kind.isState { kept.append(event) }
        events[target] = kept.isEmpty ? nil : kept
    }

    /// After the wall clock was set, the events have the times that the new clock would have given them.
    private mutating func apply(_ event: HistoryEvent) {
        guard event.kind == .clock, let step = event.length else { return }
        events = events.mapValues { events in
            events.map { event in
                var event = event
                (event.time, event.since) = (event.time + step, event.since.map { $0 + step })
                return event
            }
        }
    }
}

extension HistoryEvent.Kind {
    /// Whether the state of a target follows from such an event, until one that ends it.
    package var isState: Bool {
        switch self {
        case .transition, .paused, .blocked, .maintenance, .added: true
        case .resumed, .unblocked, .maintenanceEnded, .removed, .acknowledged, .acknowledgementEnded, .address, .hook,
            .flapping, .flappingEnded, .fault, .faultCleared, .stalled, .clock:
            false
        }
    }

    /// The kinds of the earlier events of a target that do not count any more after one of this kind, as in ``SpanFold``.
    package var ended: Set<Self> {
        switch self {
        case .transition: [.transition, .blocked]
        case .paused: [.paused]
        case .resumed: [.paused, .blocked]
        case .blocked, .unblocked: [.blocked]
        case .maintenance, .maintenanceEnded: [.maintenance]
        case .added, .removed: Set(Self.allCases)
        case .acknowledged, .acknowledgementEnded, .address, .hook, .flapping, .flappingEnded, .fault, .faultCleared,
            .stalled, .clock:
            []
        }
    }
}
