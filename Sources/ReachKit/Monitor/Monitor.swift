public import Monitoring

/// Probes any number of targets and reports their health, as the dashboard does.
///
/// ```swift
/// let monitor = Monitor([try Target("tcp://nas.local:445", name: "NAS")])
/// for await events in monitor.events {
///     for case .transition(let id, let transition) in events {
///         print(monitor[id]?.target.name ?? "", transition.to)
///     }
/// }
/// ```
///
/// The targets are probed while at least one task iterates over ``events``. Otherwise nothing runs and no socket is
/// open. The state of the targets is kept, and the time without a subscriber does not count for their availability.
///
/// While something that a target depends on is down, the target is blocked: it is neither probed nor judged. A monitor
/// does not run the hooks of its targets; it reports events.
public final class Monitor: Sendable {
    /// When targets are probed for the first time.
    public enum FirstProbes: Sendable, Hashable {
        /// Spread over a second, and later probes over the interval, for continuous monitoring.
        case staggered
        /// All at once, for a program that waits for all answers.
        case atOnce
    }

    private let subscription: SharedSubscription<MonitorModel>

    /// Creates a monitor, which probes its targets while its ``events`` have a subscriber.
    ///
    /// - Parameters:
    ///   - targets: the targets. Of several with the same name (and family, for a target of both), the second is named
    ///     `NAS 2`, and so on.
    ///   - firstProbes: when they are probed for the first time.
    ///   - history: how far back observations are kept; the newest hundred in any case.
    ///   - prober: the prober that probes them.
    public init(
        _ targets: [Target],
        firstProbes: FirstProbes = .staggered,
        history: Duration = .zero,
        prober: Prober = .shared
    ) {
        let client = prober.makeClient()
        let model = MonitorModel(
            targets,
            firstID: client.firstID,
            firstProbes: firstProbes,
            history: history,
            at: prober.time
        )
        subscription = SharedSubscription(model, on: client, capacity: Events.capacity)
    }

    /// The time since the prober was created. Events and states are dated by it.
    public var time: Duration { subscription.time }

    // MARK: State

    /// The state of every target, in their order.
    public var states: TargetStates {
        subscription.read { $0.roster.states }
    }

    /// The state of one target; nil if it was removed.
    public subscript(id: Target.ID) -> TargetState? {
        subscription.read { $0.roster[id] }
    }

    // MARK: Changes

    /// Replaces the targets. A target with the same name, question, family and source as before keeps its identity,
    /// health and history; others are added or removed.
    public func update(_ targets: [Target]) {
        subscription.update { $0.update(targets, at: $1) }
    }

    /// Pauses targets: they are neither probed nor judged.
    public func pause(_ ids: [Target.ID]) {
        subscription.update { $0.pause(ids, at: $1) }
    }

    /// Resumes targets: they are probed at once and start from unknown, with their history kept.
    public func resume(_ ids: [Target.ID]) {
        subscription.update { $0.resume(ids, at: $1) }
    }

    /// Probes targets now, in addition to their schedule. Targets that are paused or blocked are not probed, and none
    /// is while the monitor has no subscriber.
    public func probe(_ ids: [Target.ID]) {
        subscription.update { model, _ in model.probe(ids) }
    }

    /// Ends the monitor for good: no target is probed any more, and every sequence of ``events`` ends.
    public func cancel() {
        subscription.cancel()
    }

    func subscribe() -> EventBuffer<Event>.Reader {
        subscription.subscribe()
    }
}
