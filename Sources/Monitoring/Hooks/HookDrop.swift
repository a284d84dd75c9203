/// Why a hook that was due did not run. Every drop is shown: a limit delays a rule, it never switches one off.
public enum HookDrop: Sendable, Hashable {
    /// The rule ran a short while ago and may run again after `left`.
    case coolingDown(left: Duration)
    /// The target came back later than this after its outage began, or not at all while the armed hook waited.
    case expired(within: Duration)
    /// The outage was shorter than the rule asks for.
    case tooShort(outage: Duration, minDown: Duration)
    /// The way to the target leaves by a mobile network.
    case cellular
    /// While it waited in the queue, the target's health changed to the opposite, or its address once more.
    case obsolete
    /// The same rule of the same target is in the queue already.
    case alreadyQueued
    /// The program is ending.
    case quitting
    /// A rule that runs once has succeeded while this run waited.
    case alreadySucceeded
    /// The user disarmed it.
    case disarmed
    /// The settings no longer have its target, or ask it something else.
    case targetGone
}
