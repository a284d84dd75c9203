/// One execution of a hook: of a rule that fired, of an armed hook, or of a rule that the user tests.
public struct HookRun: Sendable, Hashable, Identifiable {
    /// The number of the run, counted from one over all targets in the order of requests. Its retries have the same
    /// number.
    public let id: Int
    /// The target of the event.
    public let target: Target.ID
    /// The rule that fired.
    public let rule: HookRule
    /// The armed hook that the rule stands for; nil for a rule of the settings.
    public let armed: ArmedHook?
    /// The event that fired the run, and the state of the target then.
    public let context: HookContext
    /// The number of the attempt, counted from one.
    public private(set) var attempt = 1

    /// Creates the first attempt of a run.
    public init(id: Int, target: Target.ID, rule: HookRule, armed: ArmedHook? = nil, context: HookContext) {
        self.id = id
        self.target = target
        self.rule = rule
        self.armed = armed
        self.context = context
    }

    /// Whether the run is a manual test. A test does not change the state of the rule.
    public var isTest: Bool { context.event == .test }

    /// The next attempt; nil when no retries are left.
    public var retry: HookRun? {
        guard attempt <= rule.retries else { return nil }
        var next = self
        next.attempt += 1
        return next
    }

    /// Whether both are runs of one rule of one target, with any trigger.
    public func hasSameRule(as other: HookRun) -> Bool {
        target == other.target && rule == other.rule && armed == other.armed && isTest == other.isTest
    }

    /// The environment variables of a command, and the values of `${REACH_…}` in a request.
    ///
    /// - Parameter wall: the wall time of the program's start, for `REACH_SINCE`.
    public func environment(wall: WallTime) -> [(name: String, value: String)] {
        context.environment(wall: wall) + [("REACH_ATTEMPT", String(attempt))]
    }
}
