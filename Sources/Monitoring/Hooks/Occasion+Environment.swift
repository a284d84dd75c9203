extension Occasion {
    /// The variables that a hook's command finds in its environment; what is not known is empty, never missing, so
    /// that a script under `set -u` works.
    ///
    /// Names and details reach the command only through these and through standard input, never as part of its text.
    ///
    /// - Parameters:
    ///   - wall: the wall time of the program's start, for `REACH_SINCE`.
    ///   - attempt: which try of this run it is, counted from one.
    public func environment(wall: WallTime, attempt: Int = 1) -> [(name: String, value: String)] {
        [
            ("REACH_EVENT", event.rawValue),
            ("REACH_TARGET", name),
            ("REACH_URL", question.url),
            ("REACH_HOST", question.host ?? ""),
            ("REACH_PORT", question.port.map { String($0) } ?? ""),
            ("REACH_ADDRESS", address ?? ""),
            ("REACH_GROUP", group ?? ""),
            ("REACH_HEALTH", transition.to.rawValue),
            ("REACH_PREVIOUS_HEALTH", transition.from.rawValue),
            ("REACH_REASON", transition.reason ?? ""),
            ("REACH_SINCE", wall.timestamp(at: transition.time)),
            ("REACH_DOWN_SECONDS", transition.outage.map { $0.decimal(.seconds(1), places: 3) } ?? ""),
            ("REACH_ROUND_TRIP_MS", roundTrip.map { $0.decimal(.milliseconds(1), places: 3) } ?? ""),
            ("REACH_LOSS", loss.map { String($0) } ?? ""),
            ("REACH_ATTEMPT", String(attempt)),
        ]
    }
}

extension Transition {
    /// The stable name of why the target is down or degraded: a ``Reason``, or `timeout`, `slow`, `lossy`, `concern`; absent
    /// when it is up.
    public var reason: String? {
        switch cause {
        case .replies: nil
        case .losses(_, let failure): failure?.reason.rawValue ?? "timeout"
        case .slow: "slow"
        case .lossy: "lossy"
        case .concern: "concern"
        }
    }
}
