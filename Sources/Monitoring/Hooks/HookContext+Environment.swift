extension HookContext {
    /// The environment variables for a hook run. An unknown value is empty, never missing, so that a script under `set
    /// -u` works.
    ///
    /// Target data is passed to a command only through the environment and standard input, never spliced into the
    /// command.
    func environment(wall: WallTime) -> [(name: String, value: String)] {
        [
            ("REACH_EVENT", event.rawValue),
            ("REACH_TARGET", name),
            ("REACH_URL", question.url),
            ("REACH_HOST", question.host ?? ""),
            ("REACH_PORT", question.port.map { String($0) } ?? ""),
            ("REACH_ADDRESS", address ?? ""),
            ("REACH_PREVIOUS_ADDRESS", previousAddress ?? ""),
            ("REACH_GROUP", group ?? ""),
            ("REACH_TAGS", tags.joined(separator: ",")),
            ("REACH_HEALTH", health.rawValue),
            ("REACH_PREVIOUS_HEALTH", transition?.from.rawValue ?? ""),
            ("REACH_FLAPPING", isFlapping.map { $0 ? "true" : "false" } ?? ""),
            ("REACH_REASON", transition?.reason ?? ""),
            ("REACH_SINCE", wall.timestamp(at: since)),
            ("REACH_DOWN_SECONDS", transition?.outage.map { $0.decimal(.seconds(1), places: 3) } ?? ""),
            ("REACH_ROUND_TRIP_MS", roundTrip.map { $0.decimal(.milliseconds(1), places: 3) } ?? ""),
            ("REACH_LOSS", loss.map { String($0) } ?? ""),
            ("REACH_ACKNOWLEDGED", acknowledged ?? ""),
            ("REACH_VANTAGE_UP", vantageNames { $0.isReporting && $0.health == .up }),
            ("REACH_VANTAGE_DEGRADED", vantageNames { $0.isReporting && $0.health == .degraded }),
            ("REACH_VANTAGE_DOWN", vantageNames { $0.isReporting && $0.health == .down }),
            ("REACH_VANTAGE_SILENT", vantageNames { !$0.isVoter }),
        ]
    }

    /// The names of vantage points, separated by commas. A comma in a name is replaced.
    private func vantageNames(where isIncluded: (VantagePoint) -> Bool) -> String {
        vantagePoints.filter(isIncluded).map { $0.name.replacing(",", with: "_") }.joined(separator: ",")
    }

    /// The previous address; nil unless a change of address fired the hook.
    public var previousAddress: String? {
        if case .address(let old, _) = trigger { old } else { nil }
    }

    /// Whether the target flaps now; nil unless flapping fired the hook.
    public var isFlapping: Bool? {
        if case .flapping(let isFlapping, _) = trigger { isFlapping } else { nil }
    }

    /// The flapping share by the formula of Nagios, 0…1; nil unless flapping fired the hook.
    public var flappingShare: Double? {
        if case .flapping(_, let share) = trigger { share } else { nil }
    }
}

extension Transition {
    /// The reason why the target is down, degraded or cannot be probed: the raw value of a ``Reason`` or a
    /// ``Fault/Problem``, or `timeout`, `slow`, `lossy`, `concern`; nil when it is up.
    public var reason: String? {
        switch cause {
        case .replies: nil
        case .losses(_, let failure): failure?.reason.rawValue ?? "timeout"
        case .faults(_, let fault): fault.problem.rawValue
        case .slow: "slow"
        case .lossy: "lossy"
        case .concern: "concern"
        }
    }
}
