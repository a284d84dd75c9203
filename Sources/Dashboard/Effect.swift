public import Monitoring
public import Screen

/// A side effect that the model requests; the session performs it.
public enum Effect: Sendable, Hashable {
    /// Perform the consequences of a roster change: probe requests, and hook runs to start or drop.
    case perform(Consequences)
    /// Read these targets of the fleet, and all of these groups, more often than the others.
    case showFleet([String], groups: Set<String>)
    /// Read the past of this target of the fleet.
    case askFleet(String)
    /// Send this silence to Alertmanager, and report the answer.
    case silence(Silence)
    /// Set the maximum number of concurrent hook runs.
    case limitHooks(Int)
    /// Deliver replies as soon as this way of painting needs them.
    case refresh(Refresh)
    /// Copy this text to the clipboard.
    case copy(String)
    /// Switch the terminal's mouse reports on or off.
    case mouse(Bool)
    /// Ring the bell, or show a notification.
    case alert(Alert)
    /// Give the window this title, or its own for nil.
    case title(String?)
    /// Save a picture in a file of this name, and report the result.
    case save(String, name: String)
    /// Add an entered line to the history for the next run.
    case remember(HistoryLine)
    /// Read the history, and answer with ``Event/history(_:_:at:)``.
    case readHistory(HistoryRequest)
    /// Read the settings file again.
    case reload
    /// Make the targets of the sources' present lists, after the list of this source has changed.
    case discover(from: String)
    /// Edit, read or write the text of the settings, and report the result.
    case edit(EditRequest)
    /// Fold these keys into the model, which were pressed after the key with the effects before this one.
    case press([Key])
    /// Repaint every cell of the screen.
    case repaint
    /// Restore the terminal and stop the process until it is continued.
    case suspend
    /// Set up the terminal again: the process was stopped by a signal, and a shell used the terminal meanwhile.
    case restoreTerminal
    /// Exit the program.
    case exit(ExitCause)
}

/// Why the dashboard exits.
public enum ExitCause: Sendable, Hashable {
    /// The user quit.
    case quit
    /// The process received a signal, or the terminal is gone.
    case signal(Int32)

    /// The exit status: 128+n for signal n, as in shells.
    public var status: Int32 {
        switch self {
        case .quit: 0
        case .signal(let number): 128 + number
        }
    }
}
