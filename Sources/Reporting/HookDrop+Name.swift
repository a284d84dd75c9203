import Monitoring

extension HookDrop {
    /// The stable name of why a hook did not run.
    var name: String {
        switch self {
        case .coolingDown: "cooling_down"
        case .expired: "expired"
        case .tooShort: "too_short"
        case .cellular: "cellular"
        case .obsolete: "obsolete"
        case .alreadyQueued: "already_queued"
        case .quitting: "quitting"
        case .alreadySucceeded: "already_succeeded"
        case .disarmed: "disarmed"
        case .targetGone: "target_gone"
        }
    }
}
