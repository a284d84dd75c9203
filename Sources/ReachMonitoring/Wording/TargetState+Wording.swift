extension TargetState {
    /// Whether the newest probe was lost.
    public var isLosing: Bool { judge.isLosing }

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
            return Transition.slowDetail(of: roundTrip, over: limit)
        }
        return answer.detail
    }
}

extension Acknowledgement {
    /// The acknowledgement as the rest of a sentence that begins with the target's name: `acknowledged for 2h: new switch
    /// ordered`.
    public var summary: String {
        "acknowledged\(length.map { " for \($0.settingsText)" } ?? ""): \(reason)"
    }

    /// The acknowledgement with the time that is left: `acknowledged: new switch ordered, 1h58m left`.
    public func summary(at now: Duration) -> String {
        "acknowledged: \(reason), \(deadline.map { "\(($0 - now).spanText) left" } ?? "until it is up")"
    }
}

extension Acknowledgement.End {
    /// The end as a sentence: `acknowledgement ended: up again`.
    public var summary: String {
        switch self {
        case .up: "acknowledgement ended: up again"
        case .expired(let length): "acknowledgement ended after \(length.settingsText)"
        case .removed: "acknowledgement removed"
        }
    }
}

extension Blocker {
    /// Why the target is blocked, as the rest of a sentence that begins with its name: `blocked by Switch`.
    public var summary: String {
        switch self {
        case .target(let label): "blocked by \(label)"
        case .link: "blocked: no uplink"
        case .side(let sides): "blocked: \(sides.name)"
        }
    }

    /// What a target's outage is older than, for a target that was down before it could be blocked: `since 12:14, before
    /// Switch failed`.
    ///
    /// - Parameter time: when the outage began: `12:14`.
    public func precedence(since time: String) -> String {
        switch self {
        case .target(let label): "since \(time), before \(label) failed"
        case .link: "since \(time), before the link failed"
        case .side(let sides): "since \(time), before \(sides.name)"
        }
    }
}

extension Maintenance {
    /// The maintenance with the time that is left: `maintenance, 1h58m left: Backups`.
    package func summary(at now: Duration) -> String {
        "maintenance, \(max(.zero, until - now).spanText) left\(name.map { ": \($0)" } ?? "")"
    }
}
