extension Blocker {
    /// What is so, as the rest of a sentence that begins with the target's name: `blocked by Switch`.
    public var summary: String {
        switch self {
        case .target(let label): "blocked by \(label)"
        case .link: "blocked: no way out"
        }
    }

    /// How long a target is down that was so before it could be blocked: `since before Switch`.
    public var precedence: String {
        switch self {
        case .target(let label): "since before \(label)"
        case .link: "since before the link"
        }
    }
}

extension RosterEvent {
    /// What happened when a target became one that flaps, or ceased to be.
    public static func flappingSummary(_ isFlapping: Bool, share: Double) -> String {
        isFlapping
            ? "flapping \(share.percentText): hooks for its health wait" : "no longer flapping (\(share.percentText))"
    }

    /// What happened when targets were unblocked.
    public static let unblockedSummary = "no longer blocked"

    /// What happened while the program did not run for so long.
    public static func stalledSummary(_ gap: Duration) -> String {
        "not running for \(gap.spanText): probes of that time are void"
    }
}
