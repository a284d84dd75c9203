/// A hook that the user armed from the keyboard. It runs once, when its target is reachable, and is then removed.
public struct ArmedHook: Sendable, Hashable, Identifiable {
    /// The identity of an armed hook.
    public struct ID: Sendable, Hashable {
        /// The number, counted from one, and unique in one run of the program.
        public let rawValue: Int

        /// Creates an identity from its number.
        public init(_ rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The identity.
    public let id: ID
    /// The action.
    public let action: HookAction
    /// When it was armed.
    public let since: Duration
    /// How long the hook waits for its target; nil for no limit.
    public let within: Duration?

    /// Creates an armed hook.
    public init(id: ID, action: HookAction, since: Duration, within: Duration? = nil) {
        self.id = id
        self.action = action
        self.since = since
        self.within = within
    }

    /// When the hook expires; nil for no limit.
    public var deadline: Duration? {
        within.map { since + $0 }
    }

    /// The equivalent rule.
    public var rule: HookRule {
        HookRule(on: [.up], run: action, isOnce: true, firesAtStart: true, within: within)
    }
}
