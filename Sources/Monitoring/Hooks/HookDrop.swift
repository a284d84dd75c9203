/// Why a hook that was due did not run. Every drop is shown: a limit delays a rule, it never switches one off.
public enum HookDrop: Sendable, Hashable {
    /// The rule ran a short while ago and may run again after `left`.
    case coolingDown(left: Duration)
    /// While it waited in the queue, the target's health changed to the opposite.
    case obsolete
    /// The same rule of the same target is in the queue already.
    case alreadyQueued
    /// The program is ending.
    case quitting
    /// A rule that runs once has succeeded while this run waited.
    case alreadySucceeded
}
