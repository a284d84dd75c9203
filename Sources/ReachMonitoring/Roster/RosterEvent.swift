/// An event of the roster, for the screen, the logs and the subscribers.
public enum RosterEvent: Sendable, Hashable {
    /// The health changed.
    case transition(Target.ID, Transition)
    /// A probe could not be sent. The health stays as it was, until faults in a row make it unknown.
    case fault(Target.ID, Fault)
    /// Probes can be sent again.
    case faultCleared(Target.ID)
    /// The name resolves to another address.
    case addressChanged(Target.ID, from: String, to: String)
    /// The session became ready, waits, or failed; reported once for any number of failed attempts.
    case session(Target.ID, SessionState, at: Duration)
    /// A hook rule that matches the event does not run, for this reason.
    case hookSkipped(Target.ID, HookRule, HookDrop)
    /// A hook was armed and waits until the target is reachable.
    case armed(Target.ID, ArmedHook)
    /// An armed hook was removed without a run, for this reason. The target with this label may be removed too.
    case disarmed(Target.ID, ArmedHook, of: String, HookDrop)
    /// A target has no hooks to test.
    case hooksMissing(Target.ID)
    /// These targets are neither probed nor judged, since a dependency is down.
    case blocked([Target.ID], by: Blocker, at: Duration)
    /// The dependencies of these targets are up again, and the targets are probed at once.
    case unblocked([Target.ID], at: Duration)
    /// The user paused these targets.
    case paused([Target.ID], at: Duration)
    /// The user resumed these targets.
    case resumed([Target.ID], at: Duration)
    /// The target began or stopped flapping; `share` is how often its health changes, 0…1.
    case flapping(Target.ID, isFlapping: Bool, share: Double, at: Duration)
    /// The user acknowledged the failure of the target.
    case acknowledged(Target.ID, Acknowledgement)
    /// The target is no longer acknowledged, for this reason.
    case acknowledgementEnded(Target.ID, Acknowledgement.End, at: Duration)
    /// Planned work at these targets begins, by a window with this name. It ends at a time since the program's start,
    /// unless the settings change.
    case maintenance([Target.ID], name: String?, until: Duration, at: Duration)
    /// The planned work at these targets has ended.
    case maintenanceEnded([Target.ID], at: Duration)
    /// This share of the probes, 0…1, is late or skipped: this machine cannot send them as often as the settings ask.
    case scheduleMissed(share: Double, at: Duration)
    /// Probes leave in time again.
    case scheduleKept(at: Duration)
    /// This program did not run for this long; probes of that time are void.
    case stalled(Duration, at: Duration)
}

/// The results of an input to the roster: events to report, requests to the probers, hooks to run.
public struct Consequences: Sendable, Hashable {
    /// The events, in order.
    public var events: [RosterEvent] = []
    /// The requests to the probers.
    public var requests: [ProbeRequest] = []
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
