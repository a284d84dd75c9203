/// The state of a target that decides, beside the event, whether its rules fire.
struct HookConditions: Sendable, Hashable {
    /// The present time.
    let now: Duration
    let isFlapping: Bool
    let isInMaintenance: Bool
    let isAcknowledged: Bool

    /// Whether a rule waits for the end of flapping or of maintenance before it reports an event.
    func hold(_ rule: HookRule, on event: HookEvent) -> Bool {
        isInMaintenance || isFlapping && event.isHealth && !rule.runsWhileFlapping
    }
}

extension TargetState {
    /// The conditions of the target's rules.
    func hookConditions(at now: Duration) -> HookConditions {
        HookConditions(
            now: now,
            isFlapping: isFlapping,
            isInMaintenance: isInMaintenance,
            isAcknowledged: isAcknowledged
        )
    }
}

extension HookEvent {
    /// Whether the event is a change of health.
    var isHealth: Bool {
        switch self {
        case .up, .down, .degraded, .fault, .change: true
        case .flapping, .address, .test: false
        }
    }
}
