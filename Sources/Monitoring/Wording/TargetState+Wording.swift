extension TargetState {
    /// Whether the newest probe was lost.
    public var isLosing: Bool {
        if case .losses = judge.streak { true } else { false }
    }

    /// The reply to the newest probe; nil when it was lost or could not be sent.
    public var answer: Reply? {
        isLosing || fault != nil ? nil : lastReply
    }

    /// The text shown beside the health: the fault, why the newest probe was lost, the reply's warning, or its detail.
    public var remark: String? {
        if let fault { return fault.detail }
        if let lossDetail { return lossDetail }
        return answer.flatMap(text)
    }

    /// The text beside the health that a finished check found: of the newest reply for a reachable target, even if a later
    /// probe was lost.
    package var resultRemark: String? {
        health.isReachable && isLosing && fault == nil ? lastReply.flatMap(text) : remark
    }

    /// The reason why the target is down or degraded, by the names of ``Transition/reason``; nil for other targets.
    package var failureReason: String? {
        switch health {
        case .down: failure?.reason.rawValue ?? "timeout"
        case .degraded where excessLoss != nil: "lossy"
        case .degraded where isDegradedBySlowness: "slow"
        case .degraded: "concern"
        case .up, .unknown: nil
        }
    }

    private func text(on answer: Reply) -> String? {
        if let concern = answer.concern { return concern }
        if health == .degraded, let roundTrip = answer.roundTrip, let limit = target.thresholds.slow, roundTrip > limit
        {
            return "\(roundTrip.roundTripText) over \(limit.roundTripText)"
        }
        return answer.detail
    }
}
