/// One execution of a hook rule, asked for by a transition.
public struct HookRun: Sendable, Hashable, Identifiable {
    /// The number of the run, counted from one over all targets in the order in which they were asked for.
    public let id: Int
    /// The target that the transition belongs to.
    public let target: Target.ID
    /// The rule that fired.
    public let rule: HookRule
    /// What the command is told.
    public let occasion: Occasion

    /// A run to be queued.
    public init(id: Int, target: Target.ID, rule: HookRule, occasion: Occasion) {
        self.id = id
        self.target = target
        self.rule = rule
        self.occasion = occasion
    }
}
