/// One execution of a hook: of a rule that fired, of an armed hook, or of a rule that the user tests.
public struct HookRun: Sendable, Hashable, Identifiable {
    /// The number of the run, counted from one over all targets in the order in which they were asked for. Its retries
    /// have the same.
    public let id: Int
    /// The target that the occasion belongs to.
    public let target: Target.ID
    /// The rule that fired.
    public let rule: HookRule
    /// The armed hook that the rule stands for; absent where the rule is the settings'.
    public let armed: ArmedHook?
    /// What the command is told.
    public let occasion: Occasion
    /// Which try of this run it is, counted from one.
    public private(set) var attempt = 1

    /// A run to be queued.
    public init(id: Int, target: Target.ID, rule: HookRule, armed: ArmedHook? = nil, occasion: Occasion) {
        self.id = id
        self.target = target
        self.rule = rule
        self.armed = armed
        self.occasion = occasion
    }

    /// Whether the user tries the rule by hand, which changes nothing of what it does otherwise.
    public var isTest: Bool { occasion.event == .test }

    /// The next try; nil when there are to be no more.
    public var retry: HookRun? {
        guard attempt <= rule.retries else { return nil }
        var next = self
        next.attempt += 1
        return next
    }

    /// Whether both are runs of one rule of one target, whatever fired it.
    public func hasSameRule(as other: HookRun) -> Bool {
        target == other.target && rule == other.rule && armed == other.armed && isTest == other.isTest
    }

    /// The variables that a command finds in its environment, and that `${REACH_…}` stands for in a request.
    ///
    /// - Parameter wall: the wall time of the program's start, for `REACH_SINCE`.
    public func environment(wall: WallTime) -> [(name: String, value: String)] {
        occasion.environment(wall: wall) + [("REACH_ATTEMPT", String(attempt))]
    }
}
