/// What the roster asks of whatever asks the targets.
public enum ProbeRequest: Sendable, Hashable {
    /// Ask these targets from now on, their first probes staggered over their intervals; one that is asked already
    /// is asked by its new settings.
    case watch([Assignment])
    /// Ask these no more; answers still on their way are nobody's.
    case forget([Target.ID])
    /// Ask these at once, besides their schedule.
    case now([Target.ID])
    /// Probe this target at this interval from now on, the first time that long after its last probe. An urgent target is
    /// down, and its recovery is to be seen at once: its probes leave on time, and by most methods also while others are
    /// under way.
    case pace(Target.ID, interval: Duration, isUrgent: Bool = false)

    /// A target, and the identity that its findings carry.
    public struct Assignment: Sendable, Hashable {
        /// The identity.
        public let id: Target.ID
        /// The target, in the box that the roster and the prober share.
        @usableFromInline package let sharedTarget: Shared<Target>
        /// The target.
        @inlinable public var target: Target { sharedTarget.value }

        /// Pairs an identity with its target.
        public init(id: Target.ID, target: Target) {
            self.init(id: id, target: Shared(target))
        }

        package init(id: Target.ID, target: Shared<Target>) {
            self.id = id
            sharedTarget = target
        }
    }
}
