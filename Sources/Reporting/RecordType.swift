/// What an object of `watch --json` tells: the value of its key `type`. The names are a contract.
public enum RecordType: String, Sendable, Hashable, CaseIterable, Encodable {
    /// The health of a target changed.
    case transition
    /// A probe has ended; only where observations are asked for.
    case observation
    /// What became of a hook.
    case hook
    /// A target cannot be asked.
    case fault
    /// It can be asked again.
    case faultCleared = "fault_cleared"
    /// A target is not asked, since something that it depends on is down.
    case blocked
    /// It is asked again.
    case unblocked
    /// The health of a target changes too often, or does so no longer.
    case flapping
    /// A held connection stands, waits, or has failed.
    case session
    /// The name of a target stands for another address.
    case address
    /// This program did not run for a while.
    case stalled
}
