public import Monitoring

extension Monitor {
    /// The state of one target: health, statistics, the last failure or fault.
    public typealias TargetState = Monitoring.TargetState
    /// The states of all targets in their order.
    public typealias TargetStates = Monitoring.TargetStates
    /// The dependency that blocks a target: the nearest one that is down and not blocked itself.
    public typealias Blocker = Monitoring.Blocker

    /// A change of health that a streak of outcomes may lead to.
    public typealias Pending = Monitoring.Pending
    /// The newest samples of a target.
    public typealias History = Monitoring.History
    /// One probe in a history: when it ended, and its round trip.
    public typealias Sample = Monitoring.Sample
    /// Figures of the newest probes.
    public typealias Statistics = Monitoring.Statistics
    /// Figures of all probes.
    public typealias Totals = Monitoring.Totals
    /// Figures of all round trips.
    public typealias RoundTripTotals = Monitoring.RoundTripTotals
    /// The state of a target's session.
    public typealias SessionState = Monitoring.SessionState

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
            switch event {
            case .transition(let id, let transition): self = .transition(id, transition)
            case .fault(let id, let fault): self = .fault(id, fault)
            case .faultCleared(let id): self = .faultCleared(id)
            case .addressChanged(let id, let old, let new): self = .addressChanged(id, from: old, to: new)
            case .session(let id, let state, let time): self = .session(id, state, at: time)
            case .blocked(let ids, let blocker, let time): self = .blocked(ids, by: blocker, at: time)
            case .unblocked(let ids, let time): self = .unblocked(ids, at: time)
            case .flapping(let id, let isFlapping, let share, let time):
                self = .flapping(id, isFlapping: isFlapping, share: share, at: time)
            case .stalled(let gap, let time): self = .stalled(gap, at: time)
            case .paused, .resumed, .hookSkipped, .armed, .disarmed, .hooksMissing, .acknowledged,
                .acknowledgementEnded, .maintenance, .maintenanceEnded, .scheduleMissed, .scheduleKept:
                return nil
            }
        }
    }
}
