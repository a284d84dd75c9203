import Monitoring

/// The reasons why a hook did not run, by their stable names.
enum HookDropReason: String, Sendable, CaseIterable {
    case coolingDown = "cooling_down"
    case expired
    case tooShort = "too_short"
    case acknowledged
    case cellular
    case obsolete
    case alreadyQueued = "already_queued"
    case quitting
    case alreadySucceeded = "already_succeeded"
    case disarmed
    case targetGone = "target_gone"

    init(_ drop: HookDrop) {
        self =
            switch drop {
            case .coolingDown: .coolingDown
            case .expired: .expired
            case .tooShort: .tooShort
            case .acknowledged: .acknowledged
            case .cellular: .cellular
            case .obsolete: .obsolete
            case .alreadyQueued: .alreadyQueued
            case .quitting: .quitting
            case .alreadySucceeded: .alreadySucceeded
            case .disarmed: .disarmed
            case .targetGone: .targetGone
            }
    }
}
