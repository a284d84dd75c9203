public import ReachMonitoring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Probes any number of targets and reports their health, as the dashboard does.
///
/// ```swift
/// let monitor = try Monitor([try Target("tcp://nas.local:445", name: "NAS")])
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
    ///   - targets: the targets. Each has a name of its own (and family, for a target of both), and depends on others of
    ///     them.
    ///   - firstProbes: when they are probed for the first time.
    ///   - history: how far back observations are kept; the newest hundred in any case.
    ///   - prober: the prober that probes them.
    /// - Throws: ``TargetError``, one line with what to change.
    public convenience init(
        _ targets: [Target],
        firstProbes: FirstProbes = .staggered,
        history: Duration = .zero,
        prober: Prober = .shared
    ) throws(TargetError) {
        try TargetError.check(targets)
        self.init(unchecked: targets, firstProbes: firstProbes, history: history, prober: prober)
    }

    /// Creates a monitor of targets whose names and dependencies were checked.
    package init(
        unchecked targets: [Target],
        firstProbes: FirstProbes = .staggered,
        history: Duration = .zero,
        prober: Prober
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

    /// Not available: a target has a name, and may have other settings. Make one of each URL.
    @available(*, unavailable, message: "make a target of each URL: Monitor(try urls.map { try Target($0) })")
    public convenience init(_ urls: [URL]) {
        fatalError("unavailable")
    }

    /// Not available: a target has a name, and may have other settings. Make one of each text.
    @available(*, unavailable, message: "make a target of each text: Monitor(try texts.map { try Target($0) })")
    public convenience init(_ texts: [String]) {
        fatalError("unavailable")
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
    ///
    /// - Throws: ``TargetError``, one line with what to change. Then, the targets stay as they were.
    public func update(_ targets: [Target]) throws(TargetError) {
        try TargetError.check(targets)
        update(unchecked: targets)
    }

    /// Replaces the targets by others whose names and dependencies were checked.
    package func update(unchecked targets: [Target]) {
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

    /// Ends the monitor for good: no target is probed any more. Every sequence of ``events`` ends after the events that
    /// wait, and a later one at once. The ``states`` stay readable.
    public func cancel() {
        subscription.cancel()
    }

    func subscribe() -> EventBuffer<Event>.Reader {
        subscription.subscribe()
    }
}

extension Monitor {
    /// The state of one target: health, statistics, the last failure or fault.
    public typealias TargetState = ReachMonitoring.TargetState
    /// The states of all targets in their order.
    public typealias TargetStates = ReachMonitoring.TargetStates
    /// The dependency that blocks a target: the nearest one that is down and not blocked itself.
    public typealias Blocker = ReachMonitoring.Blocker
    /// The side of an outage, from this machine to the far side. A monitor blocks no target by it.
    public typealias Side = ReachMonitoring.Side
    /// A side, or several next to each other.
    public typealias Sides = ReachMonitoring.Sides

    /// A change of health that a streak of outcomes may lead to.
    public typealias Pending = ReachMonitoring.Pending
    /// The newest samples of a target.
    public typealias History = ReachMonitoring.SampleHistory
    /// One probe in a history: when it ended, and its round trip.
    public typealias Sample = ReachMonitoring.Sample
    /// Figures of the newest probes.
    public typealias Statistics = ReachMonitoring.Statistics
    /// Figures of all probes.
    public typealias Totals = ReachMonitoring.Totals
    /// Figures of all round trips.
    public typealias RoundTripTotals = ReachMonitoring.RoundTripTotals
    /// The state of a target's session.
    public typealias SessionState = ReachMonitoring.SessionState

    /// An event of a monitor. Times are counted from the creation of the monitor's ``Prober``, as for ``Monitor/time``.
    public enum Event: Sendable, Hashable {
        /// The health of a target changed.
        case transition(Target.ID, Transition)
        /// A probe has ended.
        case observation(Observation)
        /// This machine cannot probe a target; the target's health does not change.
        case fault(Target.ID, Fault)
        /// The target can be probed again.
        case faultCleared(Target.ID)
        /// The name of a target resolves to another numeric address.
        case addressChanged(Target.ID, from: String, to: String)
        /// The session of a target is ready, waits, or has failed; reported once, not for each attempt that fails
        /// again.
        case session(Target.ID, SessionState, at: Duration)
        /// These targets are neither probed nor judged, because a dependency of them is down.
        case blocked([Target.ID], by: Blocker, at: Duration)
        /// The dependency of these targets is up again; they are probed at once.
        case unblocked([Target.ID], at: Duration)
        /// A target started or stopped flapping: its health changes too often. `share` is how often, 0…1, with newer
        /// changes weighted more.
        case flapping(Target.ID, isFlapping: Bool, share: Double, at: Duration)
        /// This program did not run for this long. Probes that were in flight are not counted.
        case stalled(Duration, at: Duration)
        /// The subscriber was slow: this many events before the next one were dropped.
        case dropped(Int)

        /// The event for one of the roster; nil for events that a monitor does not report.
        init?(_ event: RosterEvent) {
            let (ids, time) = (event.targets, event.time)
            switch (event.kind, ids.first) {
            case (.transition(let transition), let id?): self = .transition(id, transition)
            case (.fault(let fault), let id?): self = .fault(id, fault)
            case (.faultCleared, let id?): self = .faultCleared(id)
            case (.addressChanged(let old, let new), let id?): self = .addressChanged(id, from: old, to: new)
            case (.session(let state), let id?): self = .session(id, state, at: time)
            case (.flapping(let isFlapping, let share), let id?):
                self = .flapping(id, isFlapping: isFlapping, share: share, at: time)
            case (.blocked(let blocker), _): self = .blocked(ids, by: blocker, at: time)
            case (.unblocked, _): self = .unblocked(ids, at: time)
            case (.stalled(let gap), _): self = .stalled(gap, at: time)
            default: return nil
            }
        }
    }
}

extension Monitor.Event: CustomStringConvertible {
    /// The event as text, with the identities of its targets: `7: down after 3 losses: refused`.
    public var description: String {
        switch self {
        case .transition(let id, let transition): "\(id): \(transition)"
        case .observation(let observation): "\(observation.target): \(observation)"
        case .fault(let id, let fault): "\(id): \(fault)"
        case .faultCleared(let id): "\(id): probed again"
        case .addressChanged(let id, let old, let new): "\(id): \(new) instead of \(old)"
        case .session(let id, let state, _): "\(id): \(state)"
        case .blocked(let ids, let blocker, _): "\(Self.list(ids)): \(blocker)"
        case .unblocked(let ids, _): "\(Self.list(ids)): unblocked"
        case .flapping(let id, let isFlapping, _, _): "\(id): \(isFlapping ? "flapping" : "steady")"
        case .stalled(let gap, _): "the program did not run for \(gap)"
        case .dropped(let count): "\(count) events dropped"
        }
    }

    private static func list(_ ids: [Target.ID]) -> String {
        ids.map(\.description).joined(separator: ", ")
    }
}

extension Monitor {
    /// The events of a monitor, in batches: all events since the last batch. The sequence ends when the monitor is
    /// cancelled.
    ///
    /// An event is no state, so the sequence begins with the next one; ``Monitor/states`` are the present states. Any
    /// number of tasks can subscribe, and the targets are probed while one does. For a slow subscriber, the newest
    /// 100,000 events are kept; ``Event/dropped(_:)`` reports how many were dropped before them.
    public struct Events: AsyncSequence, Sendable {
        /// Events in the order in which they happened; never empty.
        public typealias Element = [Event]
        /// The sequence does not throw; errors are events.
        public typealias Failure = Never

        static let capacity = 100_000

        let monitor: Monitor

        /// One subscriber.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reader: EventBuffer<Event>.Reader

            /// Waits for the next batch; nil at the end, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> [Event]? {
                guard let (events, droppedCount) = await reader.nextBatch(isolation: actor) else { return nil }
                return droppedCount > 0 ? [.dropped(droppedCount)] + events : events
            }

            /// Waits for the next batch; nil at the end, or when the task is cancelled.
            public mutating func next() async -> [Event]? {
                await next(isolation: #isolation)
            }
        }

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: monitor.subscribe())
        }
    }

    /// The events from now on.
    public var events: Events { Events(monitor: self) }
}
