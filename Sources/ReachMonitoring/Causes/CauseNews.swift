/// News about a common cause.
public enum CauseNews: Sendable, Hashable {
    /// The cause was found.
    case named(CommonCause)
    /// The cause is at another place than was reported before.
    case moved(CommonCause)
    /// More targets went down, which the cause explains too.
    case joined(CommonCause)
    /// The cause is over: what it explained is up again, or has other causes. The numbers are those of the time when it
    /// explained most. If another cause explains the outages now, that is its successor.
    case ended(CommonCause, successor: CommonCause.ID?)

    /// The cause.
    public var cause: CommonCause {
        switch self {
        case .named(let cause), .moved(let cause), .joined(let cause), .ended(let cause, _): cause
        }
    }

    /// The stable name of what happened.
    public var name: String {
        switch self {
        case .named: "named"
        case .moved: "moved"
        case .joined: "joined"
        case .ended: "ended"
        }
    }
}
