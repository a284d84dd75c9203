/// What the stored history says about the targets before the start of the program.
public struct StoredPast: Sendable {
    /// What was known about a target at the end of the run before.
    package struct LastSeen: Sendable, Hashable {
        package let health: Health
        /// When that run ended, since 1970.
        package let time: Duration
        /// When the outage began, since 1970; nil if the target was not down.
        package let since: Duration?

        package init(_ health: Health, at time: Duration, since: Duration? = nil) {
            (self.health, self.time, self.since) = (health, time, since)
        }
    }

    /// A hook run of the settings that ended before the start of the program.
    package struct FinishedHook: Sendable, Hashable {
        package let target: Target.ID
        package let action: HookAction
        /// The event that fired it.
        package let event: HookEvent
        /// When it fired, since 1970.
        package let time: Duration
        /// Whether it succeeded.
        package let isSuccess: Bool

        package init(
            _ action: HookAction,
            of target: Target.ID,
            on event: HookEvent,
            at time: Duration,
            isSuccess: Bool
        ) {
            (self.action, self.target, self.event, self.time) = (action, target, event, time)
            self.isSuccess = isSuccess
        }
    }

    /// The events of the last day, oldest first.
    package var events: [TargetEvent] = []
    /// The samples of the last hour, packed: those of ten thousand targets would take hundreds of megabytes. Their times
    /// are counted from the start of the program, and negative.
    package var samples: [Target.ID: History] = [:]
    /// The targets that had a verdict when the program ended.
    package var lastSeen: [Target.ID: LastSeen] = [:]

    /// The hook runs that `cooldown` and `once` need, oldest first.
    package var finishedHooks: [FinishedHook] = []

    package init() {}
}

extension StoredPast.LastSeen {
    /// The health when the program ended, as the rest of a sentence that begins with the target's name: `was down when
    /// last seen 3h00m ago`; nil for a target that replied.
    package func summary(at now: Duration) -> String? {
        health == .down ? "was down when last seen \((now - time).spanText) ago" : nil
    }
}
