/// What is believed of a target, from its streaks of outcomes.
public enum Health: String, Sendable, Hashable, CaseIterable {
    /// No verdict yet.
    case unknown
    /// It answers.
    case up
    /// It answers, but slowly or with loss.
    case degraded
    /// It does not answer.
    case down

    /// Whether the target answers at all.
    public var isReachable: Bool {
        self == .up || self == .degraded
    }
}
