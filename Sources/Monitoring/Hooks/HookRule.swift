/// When a command of the user's runs. A rule fires on transitions, not on probes.
public struct HookRule: Sendable, Hashable {
    /// The events that the rule waits for.
    public var events: Set<HookEvent>
    /// What runs.
    public var command: HookCommand
    /// Whether the rule is disarmed after its first success.
    public var isOnce: Bool
    /// Whether the first verdict after the start fires too.
    public var firesAtStart: Bool
    /// Not again before this long after the last run.
    public var cooldown: Duration
    /// How long a run may take; then its process group gets TERM, and KILL five seconds later.
    public var timeout: Duration

    /// A rule with the defaults of the settings.
    public init(
        on events: Set<HookEvent>,
        run command: HookCommand,
        isOnce: Bool = false,
        firesAtStart: Bool = false,
        cooldown: Duration = .zero,
        timeout: Duration = .seconds(30)
    ) {
        self.events = events
        self.command = command
        self.isOnce = isOnce
        self.firesAtStart = firesAtStart
        self.cooldown = cooldown
        self.timeout = timeout
    }
}
