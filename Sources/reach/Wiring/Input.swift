import Dashboard
import UnixSignals

/// What reaches the dashboard's loop.
enum Input: Sendable {
    /// Something that the model folds into itself.
    case event(Event)
    /// The settings file is to be read again.
    case reload
    /// The process is to stop, as with ^Z.
    case stop
    /// The program is done.
    case done
    /// The program is to end, as this signal would have ended it.
    case end(signal: Int32)
}

/// How the dashboard's loop ended.
enum Ending: Sendable, Hashable {
    /// The user quit.
    case quit
    /// A signal asked for it, or the terminal is gone.
    case signal(Int32)

    /// The exit status: 128+n for a signal, as shells have it.
    var status: Int32 {
        switch self {
        case .quit: 0
        case .signal(let number): 128 + number
        }
    }
}
