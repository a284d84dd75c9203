import Monitoring

/// The value of the key `type` in objects of `watch --json`. The names are stable.
public enum RecordType: String, Sendable, Hashable, CaseIterable, Encodable {
    /// The health of a target changed.
    case transition
    /// A probe ended; only with `--observations`.
    case observation
    /// A report about a hook.
    case hook
    /// A target cannot be probed.
    case fault
    /// The target can be probed again.
    case faultCleared = "fault_cleared"
    /// A target is not probed because a dependency is down.
    case blocked
    /// The target is probed again.
    case unblocked
    /// A target begins or stops flapping.
    case flapping
    /// A session is ready, waits or has failed.
    case session
    /// The address of a target's name changed.
    case address
    /// Planned work at a target begins.
    case maintenance
    /// The planned work has ended.
    case maintenanceEnded = "maintenance_ended"
    /// Probes are late or skipped, or leave in time again.
    case schedule
    /// The program did not run for a while.
    case stalled
}

extension SessionState {
    /// The stable name of the state of a session.
    var name: String {
        switch self {
        case .setup: "setup"
        case .preparing: "preparing"
        case .waiting: "waiting"
        case .ready: "ready"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

extension SessionState.Cause {
    /// The stable names of the cause of the failure, and the detail in words.
    var names: (reason: String?, problem: String?, detail: String) {
        switch self {
        case .timeout: ("timeout", nil, detail)
        case .failure(let failure): (failure.reason.rawValue, nil, detail)
        case .fault(let fault): (nil, fault.problem.rawValue, detail)
        }
    }
}
