extension Standing {
    /// Whether the newest probe was lost.
    public var isLosing: Bool {
        if case .losses = judge.streak { true } else { false }
    }

    /// The newest probe's answer; nil when it was lost or could not be asked.
    public var answer: Reply? {
        isLosing || fault != nil ? nil : lastReply
    }

    /// What a person reads beside the health: why it cannot be asked, why the newest probe was lost, what is wrong with
    /// the answer, or what the answer says.
    public var remark: String? {
        if let fault { return fault.detail }
        if isLosing { return failure?.detail ?? "no answer" }
        guard let answer else { return nil }
        if let concern = answer.concern { return concern }
        if health == .degraded, let roundTrip = answer.roundTrip, let limit = target.thresholds.slow, roundTrip > limit
        {
            return "\(roundTrip.roundTripText) over \(limit.roundTripText)"
        }
        return answer.detail
    }
}
