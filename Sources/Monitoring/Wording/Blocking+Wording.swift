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
