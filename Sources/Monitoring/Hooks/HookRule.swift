/// A rule of the settings: an action, and the events that run it. Rules fire on events, not on probes.
public struct HookRule: Sendable, Hashable {
    /// The most that ``retries`` may be.
    public static let maxRetries = 10

    /// The events that the rule waits for.
    public var events: Set<HookEvent>
    /// The action.
    public var action: HookAction
    /// Whether the rule is disarmed after its first success.
    public var isOnce: Bool
    /// Whether the first verdict after the program's start fires the rule too.
    public var firesAtStart: Bool
    /// The longest time from the start of an outage to a recovery that fires the rule; nil for no limit.
    public var within: Duration?
    /// The shortest outage whose recovery fires the rule.
    public var minDown: Duration
    /// The shortest time between two runs for the same event.
    public var cooldown: Duration
    /// The longest duration of a run. After that its process group gets SIGTERM, and SIGKILL five seconds later.
    public var timeout: Duration
    /// The number of retries of a failed run, after growing pauses.
    public var retries: Int
    /// Whether the rule also runs while the route to the target is a mobile network.
    public var allowsCellular: Bool
    /// Whether events of an acknowledged target do not fire the rule.
    public var skipsAcknowledged: Bool
    /// Whether changes of health fire the rule while the target flaps. Other rules wait until it is steady.
    public var runsWhileFlapping: Bool

    /// Creates a rule with the defaults of the settings.
    public init(
        on events: Set<HookEvent>,
        run action: HookAction,
        isOnce: Bool = false,
        firesAtStart: Bool = false,
        within: Duration? = nil,
        minDown: Duration = .zero,
        cooldown: Duration = .zero,
        timeout: Duration = .seconds(30),
        retries: Int? = nil,
        allowsCellular: Bool = true,
        skipsAcknowledged: Bool = false,
        runsWhileFlapping: Bool = false
    ) {
        self.events = events
        self.action = action
        self.isOnce = isOnce
        self.firesAtStart = firesAtStart
        self.within = within
        self.minDown = minDown
        self.cooldown = cooldown
        self.timeout = timeout
        self.retries = retries ?? action.defaultRetries
        self.allowsCellular = allowsCellular
        self.skipsAcknowledged = skipsAcknowledged
        self.runsWhileFlapping = runsWhileFlapping
    }
}
