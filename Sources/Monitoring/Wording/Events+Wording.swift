extension Transition {
    /// The transition as the rest of a sentence that begins with the target's name: `down after 3 losses: refused`, `up
    /// after 41s`, `degraded: 912ms over 500ms`.
    public var summary: String {
        switch (to, cause) {
        case (.down, .losses(_, let failure?)) where failure.reason == .quorum:
            "down \(failure.detail)"
        case (.unknown, .faults(_, let fault)) where fault.problem == .notReporting:
            "unknown: \(fault.detail)"
        case (.down, .losses(let count, _)):
            "down after \(count) \(count == 1 ? "loss" : "losses"): \(detail ?? "")"
        case (.unknown, .faults(let count, let fault)):
            "unknown after \(count) \(count == 1 ? "fault" : "faults"): \(fault.detail)"
        case (.degraded, _):
            from == .down ? "degraded after \(lasted.outageText): \(detail ?? "")" : "degraded: \(detail ?? "")"
        case (.up, _) where from == .degraded:
            "up again"
        case (.up, _) where from == .down:
            "up after \(lasted.outageText)"
        default:
            to.rawValue
        }
    }

    /// Why the target is down, degraded or cannot be probed; nil when it is up.
    public var detail: String? {
        switch cause {
        case .replies: nil
        case .losses(_, let failure): failure?.detail ?? lateRoundTrip.map(Self.lateDetail) ?? "timeout"
        case .faults(_, let fault): fault.detail
        case .slow(let roundTrip, let limit): "\(roundTrip.roundTripText) over \(limit.roundTripText)"
        case .concern(let concern): concern
        case .lossy(let loss, let limit): "\(loss.percentText) loss over \(limit.percentText)"
        }
    }

    /// The text for timeouts whose replies come late.
    package static func lateDetail(of roundTrip: Duration) -> String {
        "timeout, answers after \(roundTrip.roundTripText): raise timeout"
    }

    /// The health before, where the summary does not include it: `was up 3h02m`. A health that ended as it began is left
    /// out: probes overlap, so that the first loss of an outage may have been sent before the last reply.
    public var before: String? {
        guard from != .unknown, from != .down || to != .up, lasted > .zero else { return nil }
        return "was \(from.rawValue) \(lasted.outageText)"
    }
}

extension Double {
    /// A share, 0…1, as a whole percentage. Only zero is 0%, and only one is 100%.
    public var percentText: String {
        if self > 0, self < 0.01 { return "<1%" }
        if self < 1, self > 0.99 { return "99%" }
        return "\(Int((self * 100).rounded()))%"
    }
}

extension Observation {
    /// The outcome as the rest of a sentence that begins with the target's name: `reply in 812µs`, `reply in 12.345ms`.
    public var summary: String {
        switch outcome {
        case .reply(let reply):
            let took =
                reply.roundTrip.map { roundTrip in
                    let isShort = roundTrip < .microseconds(1_000)
                    let text = isShort ? roundTrip.roundTripText : "\(roundTrip.decimal(.milliseconds(1), places: 3))ms"
                    return "reply in \(text)"
                } ?? "reply"
            return (reply.concern ?? reply.detail).map { "\(took): \($0)" } ?? took
        case .timeout: return "timeout"
        case .failure(let failure): return failure.detail
        case .fault(let fault): return RosterEvent.faultSummary(fault.detail)
        }
    }
}

extension SessionState {
    /// The state as the rest of a sentence that begins with the target's name: `session failed: reset`.
    public var summary: String {
        switch self {
        case .setup: "session not tried yet"
        case .preparing: "session preparing"
        case .waiting: "session waiting: no route"
        case .ready: "session ready"
        case .failed(let cause): "session failed: \(cause.detail)"
        case .cancelled: "session cancelled"
        }
    }
}

extension SessionState.Cause {
    /// The text for display: `timeout`, `refused`.
    public var detail: String {
        switch self {
        case .timeout: "timeout"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.detail
        }
    }
}
