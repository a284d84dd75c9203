import Monitoring

extension SessionState {
    /// The stable name of where a held connection stands.
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
    /// The stable names of what the connection died of, and the words for a person.
    var names: (reason: String?, problem: String?, detail: String) {
        switch self {
        case .timeout: ("timeout", nil, detail)
        case .failure(let failure): (failure.reason.rawValue, nil, detail)
        case .fault(let fault): (nil, fault.problem.rawValue, detail)
        }
    }
}
