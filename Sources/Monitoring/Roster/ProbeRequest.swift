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
