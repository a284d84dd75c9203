/// The words of an event, which the screen, `watch`, its log and the history share.
extension RosterEvent {
    /// The targets that the event is about; none for an event of the program.
    package var targets: [Target.ID] {
        switch self {
        case .transition(let id, _), .fault(let id, _), .faultCleared(let id), .addressChanged(let id, _, _),
            .session(let id, _, _), .hookSkipped(let id, _, _), .armed(let id, _), .disarmed(let id, _, _, _),
            .hooksMissing(let id), .flapping(let id, _, _, _), .acknowledged(let id, _),
            .acknowledgementEnded(let id, _, _):
            [id]
        case .blocked(let ids, _, _), .unblocked(let ids, _), .paused(let ids, _), .resumed(let ids, _),
            .maintenance(let ids, _, _, _), .maintenanceEnded(let ids, _):
            ids
        case .scheduleMissed, .scheduleKept, .stalled: []
        }
    }

    /// When the event happened; nil if that is now.
    package var time: Duration? {
        switch self {
        case .transition(_, let transition): transition.time
        case .acknowledged(_, let acknowledgement): acknowledgement.since
        case .session(_, _, let time), .blocked(_, _, let time), .unblocked(_, let time), .paused(_, let time),
            .resumed(_, let time), .flapping(_, _, _, let time), .acknowledgementEnded(_, _, let time),
            .maintenance(_, _, _, let time), .maintenanceEnded(_, let time), .scheduleMissed(_, let time),
            .scheduleKept(let time), .stalled(_, let time):
            time
        case .fault, .faultCleared, .addressChanged, .hookSkipped, .armed, .disarmed, .hooksMissing: nil
        }
    }

    /// The event as the rest of a sentence that begins with the name of a target, or of the program.
    package var summary: String { summary { "\($0)" } }

    /// The same with hooks as a function writes them.
    package func summary(ofHook text: (HookAction) -> String) -> String {
        switch self {
        case .transition(_, let transition): transition.summary
        case .fault(_, let fault): Self.faultSummary(fault.summary)
        case .faultCleared: Self.faultClearedSummary
        case .addressChanged(_, _, let new): Self.addressSummary(new)
        case .session(_, let state, _): state.summary
        case .hookSkipped(_, let rule, _): "hook \(text(rule.action)) did not run"
        case .armed(_, let hook): "hook \(text(hook.action)) is armed"
        case .disarmed(_, let hook, _, _): "hook \(text(hook.action)) did not run"
        case .hooksMissing: "has no hooks"
        case .blocked(_, let blocker, _): blocker.summary
        case .unblocked: Self.unblockedSummary
        case .paused: Self.pausedSummary
        case .resumed: Self.resumedSummary
        case .flapping(_, let isFlapping, let share, _):
            isFlapping ? Self.flappingSummary(share: share) : Self.flappingEndedSummary
        case .acknowledged(_, let acknowledgement): acknowledgement.summary
        case .acknowledgementEnded(_, let end, _): end.summary
        case .maintenance(_, let name, let end, let time):
            "maintenance for \((end - time).spanText)\(name.map { ": \($0)" } ?? "")"
        case .maintenanceEnded: Self.maintenanceEndedSummary
        case .scheduleMissed(let share, _): Self.scheduleMissedSummary(share: share)
        case .scheduleKept: "keeps the schedule again"
        case .stalled(let gap, _): Self.stalledSummary(gap)
        }
    }

    /// What the screen shows after the summary: `was 192.0.2.7`.
    package var note: String? {
        switch self {
        case .transition(_, let transition): transition.before
        case .addressChanged(_, let old, _): "was \(old)"
        case .hookSkipped(_, _, let drop), .disarmed(_, _, _, let drop): drop.summary
        case .armed(_, let hook): hook.within.map { "for \($0.settingsText)" }
        default: nil
        }
    }
}

extension RosterEvent {
    package static func faultSummary(_ fault: String) -> String { "cannot be probed: \(fault)" }
    static let faultClearedSummary = "can be probed again"
    static func addressSummary(_ address: String) -> String { "has another address: \(address)" }
    static let unblockedSummary = "no longer blocked"
    static let pausedSummary = "paused"
    static let resumedSummary = "resumed"
    package static let flappingEndedSummary = "no longer flapping"
    static let maintenanceEndedSummary = "maintenance ended"

    /// The event when a target begins to flap.
    ///
    /// - Parameter share: How often its health changes, 0…1; nil if that is not known.
    package static func flappingSummary(share: Double?) -> String {
        "flapping\(share.map { " \($0.percentText)" } ?? ""): reports are held back"
    }

    /// The event when too many probes are late or skipped, with their share, 0…1.
    package static func scheduleMissedSummary(share: Double) -> String {
        "cannot keep the schedule: \(share.percentText) of the probes are late or skipped – longer intervals, or shards"
    }

    /// The event after the program did not run for a while.
    static func stalledSummary(_ gap: Duration) -> String {
        "not running for \(gap.spanText): probes of that time are ignored"
    }
}
