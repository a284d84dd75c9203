public import Monitoring

extension Monitor {
    /// All that is known of one target.
    public typealias Standing = Monitoring.Standing
    /// All targets in their order, with what is known of each, and how many are how.
    public typealias Standings = Monitoring.Standings
    /// What keeps a target from being asked.
    public typealias Blocker = Monitoring.Blocker

    /// What happened. Times are counted from the making of the monitor's ``Prober``, as ``Monitor/time`` is.
    public enum Event: Sendable, Hashable {
        /// The health of a target changed.
        case transition(Target.ID, Transition)
        /// A probe has ended.
        case observation(Observation)
        /// A target cannot be asked, for a reason of this machine; its health stays as it was.
        case fault(Target.ID, Fault)
        /// It can be asked again.
        case faultCleared(Target.ID)
        /// The name of a target stands for another numeric address.
        case addressChanged(Target.ID, from: String, to: String)
        /// The held connection of a target has become ready, waits, or has failed; told once, however often it is tried in
        /// vain.
        case session(Target.ID, SessionState, at: Duration)
        /// These targets are asked and judged no more, since something that they depend on is down.
        case blocked([Target.ID], by: Blocker, at: Duration)
        /// What these targets depend on is up again, and they are asked at once.
        case unblocked([Target.ID], at: Duration)
        /// The health of a target began to change too often, or does so no longer.
        case flapping(Target.ID, isFlapping: Bool, share: Double, at: Duration)
        /// This program did not run for so long: what was under way counts for nothing.
        case stalled(Duration, at: Duration)
        /// The listener was slow, and so many events before the next one are lost to it.
        case dropped(Int)

        /// An event of the roster; nil for one of hooks, which a monitor does not run.
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
            case .hookSkipped, .armed, .disarmed, .hooksMissing: return nil
            }
        }
    }
}
