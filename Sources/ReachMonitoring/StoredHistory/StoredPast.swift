/// The stored history of the targets before the start of the program.
public struct StoredPast: Sendable {
    /// The state of a target at the end of the run before.
    package struct LastSeen: Sendable, Hashable {
        package let health: Health
        /// When that run ended, since 1970.
        package let time: Duration
        /// When the health began, since 1970; nil if that is not known.
        package let since: Duration?

        package init(_ health: Health, at time: Duration, since: Duration? = nil) {
            (self.health, self.time, self.since) = (health, time, since)
        }

        /// The longest time without the program after which a target that replies counts as up all the time.
        package static let longestGap = Duration.seconds(300)
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
    package var samples: [Target.ID: SampleHistory] = [:]
    /// The targets that had a verdict when the program ended.
    package var lastSeen: [Target.ID: LastSeen] = [:]
    /// Whether the program that wrote it has ended. Otherwise it has watched the targets all the time, and does so now.
    package var isOver = true

    /// The paths of each target in the hour before the start, oldest first: the one at its beginning, and later ones.
    package var paths: [Target.ID: [StoredPath]] = [:]

    /// The round-trip levels of targets.
    package var levels: [Target.ID: StoredLevels] = [:]

    /// The acknowledgements that have not ended, as events.
    package var acknowledgements: [Target.ID: HistoryEvent] = [:]

    /// The hook runs that `cooldown` and `once` need, oldest first.
    package var finishedHooks: [FinishedHook] = []

    package init() {}
}

extension StoredPast {
    /// What is to be said of a target at the start: how it was when the program ended.
    package func summary(of target: Target.ID, at now: Duration) -> String? {
        isOver ? lastSeen[target]?.summary(at: now) : nil
    }
}

extension StoredPast.LastSeen {
    /// The health when the program ended, as the rest of a sentence that begins with the target's name: `was down when
    /// last seen 3h00m ago`; nil for a target that replied.
    package func summary(at now: Duration) -> String? {
        health == .down ? "was down when last seen \((now - time).spanText) ago" : nil
    }
}

/// A part of the stored history, for its export and import.
package enum StoredRecord: Sendable, Hashable {
    /// A target, by its number in the file.
    case target(id: Int64, name: String, url: String, group: String?)
    /// A run of the program. One without an end was killed, or still runs.
    case run(id: Int64, source: String, version: String, start: Duration, seen: Duration, end: Duration?)
    /// An event of a target or, without one, of the program.
    case event(HistoryEvent, target: Int64?, run: Int64)
    /// The probes of a target in a minute, by its number since 1970.
    case minute(ProbeFigures, target: Int64, number: Int64)
    /// The probes of a target in an hour, by its number since 1970.
    case hour(ProbeFigures, target: Int64, number: Int64)
}

extension Roster {
    /// Adds samples from before the start of the program to the histories of targets.
    package mutating func restore(_ samples: [Target.ID: SampleHistory]) {
        for (id, samples) in samples {
            if let position = positions[id] { states[position].history.prepend(samples) }
        }
    }

    /// Lets outages from before the start of the program go on, unless their targets have replied since. Targets that replied
    /// until shortly before it, and have done nothing else since, have been up all the time.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func restore(_ lastSeen: [Target.ID: StoredPast.LastSeen], wall: WallTime, at now: Duration) {
        for (id, last) in lastSeen {
            guard let stored = last.since, let position = positions[id] else { continue }
            // The wall clock may have been set back since.
            let since = min(stored - wall.start, .zero)
            switch last.health {
            case .down where states[position].totals.received == 0:
                states[position].outageStart = since
            case .up
            where last.time >= wall.start - StoredPast.LastSeen.longestGap && states[position].totals.outages == 0:
                if states[position].health == .up {
                    states[position].judge.begin(at: since)
                } else if states[position].health == .unknown {
                    states[position].set(\.upStart, to: since)
                }
            default: continue
            }
            remember(position, at: now)
        }
    }

    /// Lets acknowledgements from before the start of the program go on, until their time is over or their target is up.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func restore(acknowledgements: [Target.ID: HistoryEvent], wall: WallTime, at now: Duration) {
        for (id, event) in acknowledgements {
            guard let position = positions[id], !states[position].isAcknowledged, states[position].health != .up else {
                continue
            }
            let acknowledgement = Acknowledgement(
                reason: event.detail ?? "",
                since: min(event.time - wall.start, .zero),
                length: event.length
            )
            if let deadline = acknowledgement.deadline, deadline <= now { continue }
            states[position].acknowledgement = acknowledgement
            remember(position, at: now)
        }
    }

    /// Restores `cooldown` and `once` of hook rules from the runs before the start of the program. A rule is known by
    /// its target, event and action; a rule with another action is another rule.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func restore(_ hooks: [StoredPast.FinishedHook], wall: WallTime, at now: Duration) {
        for hook in hooks {
            guard let position = positions[hook.target] else { continue }
            for rule in states[position].target.hooks {
                guard rule.action == hook.action, rule.events.contains(hook.event) else { continue }
                // The wall clock may have been set back since.
                let time = min(hook.time - wall.start, now)
                causes?.restore(rule, on: hook.event, at: time, isSuccess: hook.isSuccess)
                states[position].hookTracker.restore(
                    rule,
                    on: hook.event,
                    at: time,
                    isSuccess: hook.isSuccess,
                    now: now
                )
            }
        }
    }
}
