/// An event of the roster, for the screen, the logs, the history and the subscribers.
public struct RosterEvent: Sendable, Hashable {
    /// What happened.
    public let kind: Kind
    /// The targets that it concerns; empty for an event of the program.
    public private(set) var targets: [Target.ID]
    /// When it happened, since the start of the program.
    public let time: Duration

    /// Creates an event of targets, or of the program.
    package init(_ kind: Kind, of targets: [Target.ID] = [], at time: Duration) {
        (self.kind, self.targets, self.time) = (kind, targets, time)
    }

    /// The event with only the targets that satisfy a condition; nil if there are none.
    package func filter(_ isIncluded: (Target.ID) -> Bool) -> RosterEvent? {
        var event = self
        event.targets.removeAll { !isIncluded($0) }
        return event.targets.isEmpty && !targets.isEmpty ? nil : event
    }

    /// Whether the event corrects the one before of the same change.
    package var isCorrection: Bool {
        if case .shift(.level(let shift)) = kind { shift.isCorrection } else { false }
    }

    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The health changed.
        case transition(Transition)
        /// A probe could not be sent. The health stays as it was, until faults in a row make it unknown.
        case fault(Fault)
        /// Probes can be sent again.
        case faultCleared
        /// The name resolves to another address.
        case addressChanged(from: String, to: String)
        /// The path to the target changed, or ends somewhere while the target is down.
        case path(PathNews)
        /// Outages have a common cause, or it is over. The event is of the targets that the cause explains.
        case cause(CauseNews)
        /// The usual round trips or losses changed for a longer time. The health is not concerned.
        case shift(ShiftNews)
        /// The session became ready, waits, or failed; reported once for any number of failed attempts.
        case session(SessionState)
        /// A hook rule that matches the event does not run, for this reason.
        case hookSkipped(HookRule, HookDrop)
        /// A hook was armed and waits until the target is reachable.
        case armed(ArmedHook)
        /// An armed hook was removed without a run, for this reason. The target with this label may be removed too.
        case disarmed(ArmedHook, of: String, HookDrop)
        /// The target has no hooks to test.
        case hooksMissing
        /// The targets are neither probed nor judged, since a dependency is down.
        case blocked(by: Blocker)
        /// The dependencies of the targets are up again, and the targets are probed at once.
        case unblocked
        /// The user paused the targets.
        case paused
        /// The user resumed the targets.
        case resumed
        /// The target began (true) or stopped flapping; `share` is how often its health changes, 0…1.
        case flapping(Bool, share: Double)
        /// The user acknowledged the failure of the target.
        case acknowledged(Acknowledgement)
        /// The target is no longer acknowledged, for this reason.
        case acknowledgementEnded(Acknowledgement.End)
        /// Planned work at the targets begins, by a window with this name. It ends at a time since the program's start,
        /// unless the settings change.
        case maintenance(name: String?, until: Duration)
        /// The planned work at the targets has ended.
        case maintenanceEnded
        /// This share of the probes, 0…1, is late or skipped: this machine cannot send them as often as the settings ask.
        case scheduleMissed(share: Double)
        /// Probes leave in time again.
        case scheduleKept
        /// This program did not run for this long; probes of that time are discarded.
        case stalled(Duration)
    }
}

/// The results of an input to the roster: events to report, requests to the probers, hooks to run.
public struct Consequences: Sendable, Hashable {
    /// The events, in order.
    public var events: [RosterEvent] = []
    /// The requests to the probers.
    public var requests: [ProbeRequest] = []
    /// The requests to the tracer of paths.
    package var paths: [PathOrder] = []
    /// The results of traces that differ from those before, for the history.
    package var traced: [TracedTarget] = []
    /// The targets that were removed from the settings.
    public var removed: [Target.ID] = []
    /// The hooks that are due, in order.
    public var runs: [HookRun] = []
    /// The verdicts of vantage points that were recorded like finished probes. Observations of probers are not among them.
    public var observations: [Observation] = []
    /// The names of new targets of the fleet, for logs. Those of other targets are in ``requests``.
    package var fleetNames: [Target.ID: String] = [:]

    /// Creates empty consequences.
    public init() {}

    /// Appends an event.
    mutating func report(_ kind: RosterEvent.Kind, of targets: [Target.ID] = [], at time: Duration) {
        events.append(RosterEvent(kind, of: targets, at: time))
    }

    /// Appends later consequences.
    mutating func append(_ later: Consequences) {
        events += later.events
        requests += later.requests
        paths += later.paths
        traced += later.traced
        removed += later.removed
        runs += later.runs
        observations += later.observations
        fleetNames.merge(later.fleetNames) { $1 }
    }
}

/// A request from the roster to the probers.
public enum ProbeRequest: Sendable, Hashable {
    /// Probe these targets from now on, with their first probes staggered over a second. A target that is
    /// already probed gets its new settings.
    case watch([Assignment])
    /// Stop probing these targets; replies to earlier probes are ignored.
    case forget([Target.ID])
    /// Probe these targets at once, in addition to their schedule.
    case now([Target.ID])
    /// Probe this target at this interval from now on, the first time one interval after its last probe. An urgent
    /// target is down, and its recovery must be detected at once. So its probes leave on time, and with most methods
    /// also while others are in flight.
    case pace(Target.ID, interval: Duration, isUrgent: Bool = false)

    /// A target, and the identity that its findings carry.
    public struct Assignment: Sendable, Hashable {
        /// The identity.
        public let id: Target.ID
        /// The target, in a box shared by the roster and the prober.
        @usableFromInline package let sharedTarget: Shared<Target>
        /// The target.
        @inlinable public var target: Target { sharedTarget.value }

        /// Pairs an identity with its target, whose times are limited.
        public init(id: Target.ID, target: Target) {
            self.init(id: id, target: Shared(target.withinLimits))
        }

        package init(id: Target.ID, target: Shared<Target>) {
            self.id = id
            sharedTarget = target
        }
    }
}
