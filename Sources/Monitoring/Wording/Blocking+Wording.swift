extension Blocker {
    /// Why the target is blocked, as the rest of a sentence that begins with its name: `blocked by Switch`.
    public var summary: String {
        switch self {
        case .target(let label): "blocked by \(label)"
        case .link: "blocked: no uplink"
        }
    }

    /// What a target's outage is older than, for a target that was down before it could be blocked: `since before
    /// Switch`.
    public var precedence: String {
        switch self {
        case .target(let label): "since before \(label)"
        case .link: "since before the link"
        }
    }
}

extension RosterEvent {
    /// The event when a target begins or stops flapping.
    public static func flappingSummary(_ isFlapping: Bool, share: Double) -> String {
        isFlapping ? "flapping \(share.percentText): reports are held back" : "no longer flapping"
    }

    /// The event when targets are unblocked.
    public static let unblockedSummary = "no longer blocked"

    /// The event after the program did not run for a while.
    public static func stalledSummary(_ gap: Duration) -> String {
        "not running for \(gap.spanText): probes of that time are ignored"
    }
}
