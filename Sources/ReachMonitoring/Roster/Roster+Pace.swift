extension Roster {
    /// How long an outage is probed at `down_interval` by default.
    public static let defaultRecoverySpan = Duration.seconds(600)

    /// Changes the interval of a target if its health or a pending verdict requires it.
    mutating func repace(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        let pace = states[position].pace(at: now, recoverySpan: recoverySpan, halvings: recovery.halvings)
        let before = states[position].pace
        guard pace != before else { return }
        setPace(pace, of: position, into: &consequences)
        guard pace.isRecovery != before.isRecovery else { return }
        let rate = states[position].target.additionalRate
        guard pace.isRecovery else { return recovery.remove(rate) }
        guard recovery.add(rate) else { return }
        // The other targets slow down at once; later, each returns to a faster pace with its next probe.
        for other in states.indices where states[other].pace.isRecovery {
            setPace(.recovery(halvings: recovery.halvings), of: other, into: &consequences)
        }
    }

    /// Resets the pace of a target that is no longer probed.
    mutating func forgetPace(of position: Int) {
        if states[position].pace.isRecovery { recovery.remove(states[position].target.additionalRate) }
        states[position].pace = .usual
    }

    /// Recounts the probes that are added for targets that are down.
    mutating func recountRecovery() {
        recovery = RecoveryBudget()
        for position in states.indices where states[position].pace.isRecovery {
            _ = recovery.add(states[position].target.additionalRate)
        }
    }

    private mutating func setPace(_ pace: ProbePace, of position: Int, into consequences: inout Consequences) {
        states[position].pace = pace
        let target = states[position].target
        consequences.requests.append(
            .pace(states[position].id, interval: target.interval(at: pace), isUrgent: pace.isRecovery)
        )
    }
}

extension TargetState {
    /// The pace for the target's present state.
    fileprivate func pace(at now: Duration, recoverySpan: Duration?, halvings: UInt8) -> ProbePace {
        guard target.question.method.probes else { return .usual }
        // A pause or a block ends with quick probes again.
        let isRecent = recoverySpan.map { now < max(judge.since, probedSince) + $0 } ?? true
        let isUnreachable = health == .down || blockedBy?.isSide == true
        let isDown = isUnreachable && isProbed && isRecent
        guard isDown || target.retriesSooner else { return .usual }
        let isPending = pending != nil
        if isDown, !isPending || target.recoveryInterval <= target.retryInterval {
            return .recovery(halvings: halvings)
        }
        return isPending && target.retriesSooner ? .retry : isDown ? .recovery(halvings: halvings) : .usual
    }
}

extension Roster {
    /// Records how a lane keeps its schedule. The first lane that does not is an event, and so is the end.
    mutating func record(
        _ report: ScheduleReport,
        of lane: Int,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        let before = schedule.missedShare
        schedule.record(report, of: lane)
        switch (before, schedule.missedShare) {
        case (nil, let share?): consequences.report(.scheduleMissed(share: share), at: now)
        case (_?, nil): consequences.report(.scheduleKept, at: now)
        default: break
        }
    }
}

/// The present pace of a target's probes.
enum ProbePace: Sendable, Hashable {
    /// Every `interval`.
    case usual
    /// Every `retry_interval`, while a verdict is pending.
    case retry
    /// Every `down_interval`, while the target is down; its additional probes are halved this many times.
    case recovery(halvings: UInt8)

    /// Whether the target is probed for its recovery.
    var isRecovery: Bool {
        if case .recovery = self { true } else { false }
    }
}

extension Target {
    /// The most probes in flight for a target that is down.
    package static let maxOverlapping = 8

    /// The interval at a pace.
    func interval(at pace: ProbePace) -> Duration {
        switch pace {
        case .usual: interval
        case .retry: retryInterval
        case .recovery(halvings: 0): recoveryInterval
        case .recovery(let halvings):
            // One probe a second is 10⁶ rate units, so 10¹⁵ nanoseconds for a rate of one unit.
            .nanoseconds(1_000_000_000_000_000 / max(1, Self.rate(interval) + additionalRate >> Int(halvings)))
        }
    }

    /// The interval while the target is down: at most ``interval``, and long enough to limit the probes in flight.
    var recoveryInterval: Duration {
        let shortest = question.method.overlapsWhileDown ? timeout / Self.maxOverlapping : .zero
        return min(interval, max(downInterval, shortest))
    }

    /// The rate of additional probes while the target is down, in millionths of a probe a second.
    var additionalRate: Int { Self.rate(recoveryInterval) - Self.rate(interval) }

    private static func rate(_ interval: Duration) -> Int {
        Int(1_000_000_000_000_000 / max(1, interval.nanoseconds))
    }
}
