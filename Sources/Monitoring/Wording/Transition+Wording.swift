extension Transition {
    /// What happened, as the rest of a sentence that begins with the target's name: `down after 3 losses: connection
    /// refused`, `up after 41s`, `degraded: 912ms over 500ms`.
    public var summary: String {
        switch (to, cause) {
        case (.down, .losses(let count, let failure)):
            "down after \(count) \(count == 1 ? "loss" : "losses"): \(failure?.detail ?? "no answer")"
        case (.degraded, .slow(let roundTrip, let limit)):
            "degraded: \(roundTrip.roundTripText) over \(limit.roundTripText)"
        case (.degraded, .lossy(let loss, let limit)):
            "degraded: \(loss.percentText) loss over \(limit.percentText)"
        case (.up, _) where from == .degraded:
            "up again, no longer degraded"
        case (.up, _) where from == .down:
            "up after \(lasted.spanText)"
        default:
            to.rawValue
        }
    }

    /// What the health was before, where the summary does not say so: `was up 3h02m`.
    public var before: String? {
        from == .unknown || from == .down && to == .up ? nil : "was \(from.rawValue) \(lasted.spanText)"
    }
}

extension Double {
    /// A share, 0…1, as a whole percentage; not 0% unless it is zero, nor 100% unless it is one.
    public var percentText: String {
        if self > 0, self < 0.01 { return "<1%" }
        if self < 1, self > 0.99 { return "99%" }
        return "\(Int((self * 100).rounded()))%"
    }
}
