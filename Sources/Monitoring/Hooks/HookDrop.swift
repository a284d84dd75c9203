/// Why a hook that was due did not run. Every drop is shown: a limit may delay a rule, but never disables it.
public enum HookDrop: Sendable, Hashable {
    /// The rule ran recently; its cooldown ends after `left`.
    case coolingDown(left: Duration)
    /// The target recovered later than this after its outage began, or did not become reachable while the armed hook
    /// waited.
    case expired(within: Duration)
    /// The outage was shorter than `min_down` of the rule.
    case tooShort(outage: Duration, minDown: Duration)
    /// The target is acknowledged, and the rule has `unless_acknowledged`.
    case acknowledged
    /// The route to the target is a mobile network.
    case cellular
    /// The target's health or address changed again while the run was queued.
    case obsolete
    /// The same rule of the same target is already queued.
    case alreadyQueued
    /// The program is quitting.
    case quitting
    /// The rule runs once, and another run succeeded while this one waited.
    case alreadySucceeded
    /// The user disarmed the hook.
    case disarmed
    /// The target was removed from the settings, or is probed differently now.
    case targetGone
}
