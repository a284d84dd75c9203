/// Why the dashboard ends.
public enum ExitCause: Sendable, Hashable {
    /// The user quit.
    case quit
    /// A signal asked for it, or the terminal is gone.
    case signal(Int32)

    /// The exit status: 128+n for signal n, as in shells.
    public var status: Int32 {
        switch self {
        case .quit: 0
        case .signal(let number): 128 + number
        }
    }
}
