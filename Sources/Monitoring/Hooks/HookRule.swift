/// When an action of the user's runs. A rule fires on events, not on probes.
public struct HookRule: Sendable, Hashable {
    /// The most that ``retries`` may be.
    public static let mostRetries = 10

    /// The events that the rule waits for.
    public var events: Set<HookEvent>
    /// What runs.
    public var action: HookAction
    /// Whether the rule is disarmed after its first success.
    public var isOnce: Bool
    /// Whether the first verdict after the start fires too.
    public var firesAtStart: Bool
    /// Recoveries count only this long after the outage began; all of them when absent.
    public var within: Duration?
    /// Recoveries from shorter outages do not count.
    public var minDown: Duration
    /// Not again before this long after the last run.
    public var cooldown: Duration
    /// How long a run may take; then its process group gets TERM, and KILL five seconds later.
    public var timeout: Duration
    /// How often a run that fails is tried again, after pauses that grow.
    public var retries: Int
    /// Whether it runs also while the way to the target leaves by a mobile network.
    public var allowsCellular: Bool

    /// A rule with the defaults of the settings.
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
        allowsCellular: Bool = true
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
    }
}
