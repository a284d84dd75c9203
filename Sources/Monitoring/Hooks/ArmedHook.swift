/// A hook that was attached from the keyboard: it runs once, when its target is reachable, and is gone then.
public struct ArmedHook: Sendable, Hashable, Identifiable {
    /// What it is known by.
    public struct ID: Sendable, Hashable {
        /// The number, counted from one, never given twice in one run of the program.
        public let rawValue: Int

        /// An identity with this number.
        public init(_ rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// What it is known by.
    public let id: ID
    /// What it does.
    public let action: HookAction
    /// When it was armed.
    public let since: Duration
    /// How long it waits for its target; without end when absent.
    public let within: Duration?

    /// A hook that waits.
    public init(id: ID, action: HookAction, since: Duration, within: Duration? = nil) {
        self.id = id
        self.action = action
        self.since = since
        self.within = within
    }

    /// When it gives up.
    public var deadline: Duration? {
        within.map { since + $0 }
    }

    /// The rule that it amounts to.
    public var rule: HookRule {
        HookRule(on: [.up], run: action, isOnce: true, firesAtStart: true, within: within)
    }
}
