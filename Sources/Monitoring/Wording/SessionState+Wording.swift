extension SessionState {
    /// What happened, as the rest of a sentence that begins with the target's name: `session failed: connection
    /// reset`.
    public var summary: String {
        switch self {
        case .setup: "session not tried yet"
        case .preparing: "session preparing"
        case .waiting: "session waiting: no way out"
        case .ready: "session ready"
        case .failed(let cause): "session failed: \(cause.detail)"
        case .cancelled: "session cancelled"
        }
    }
}

extension SessionState.Cause {
    /// The cause in words.
    public var detail: String {
        switch self {
        case .timeout: "no answer"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.detail
        }
    }
}
