public import ReachMonitoring
public import ReachScreen

/// An input of the dashboard's event loop. ``Model/update(_:)`` folds each event into the model.
public enum Event: Sendable {
    /// Keys were pressed since the last event, in this order. If their time is not known, it is the time of the last event.
    case keys([Key], at: Duration = .zero)
    /// The terminal was resized.
    case resize(Size)
    /// The terminal has reported its background.
    case background(Background)
    /// The clock ticked: the time since the start of the program, and the wall time of that start.
    case tick(Duration, WallTime)
    /// Results of probes.
    case findings([Finding], at: Duration)
    /// What was read about the targets of other programs.
    case fleet(FleetUpdate, at: Duration)
    /// What servers say about the past of a target of the fleet, by its name.
    case fleetHistory(FleetHistory, of: String, at: Duration)
    /// The answer to ``Effect/silence(_:)``.
    case silenced(SilenceReport, at: Duration)
    /// A change in the state of a hook run.
    case hook(HookReport, at: Duration)
    /// The settings file was read again.
    case settings(Settings, at: Duration)
    /// The settings file was read again and rejected; the old settings stay in use.
    case settingsRefused([String], at: Duration)
    /// A source of targets was refreshed.
    case sourceRefreshed(SourceNotice, at: Duration)
    /// The settings with the new list of this source.
    case discovered(Settings, from: String, at: Duration)
    /// The result of an edit, or of another request that concerns the text of the settings.
    case edited(EditResult, at: Duration)
    /// The settings file has changed on disk.
    case fileChanged
    /// The result of an effect, for the footer.
    case notice(String)
    /// A message of the program, for the events and the footer.
    case message(String, isProblem: Bool, at: Duration)
    /// What the history says about the targets before the start of the program.
    case past(StoredPast, at: Duration)
    /// The process that runs the hooks from now on.
    case hookOwner(HookOwner, at: Duration)
    /// The answer to ``Effect/readHistory(_:)``, and the offsets of local time in its span.
    case history(HistoryAnswer, ZoneOffsets, at: Duration)
    /// There is no settings file, and the targets are those of this machine: a hint in place of the banner.
    case hint(String)
    /// The program is in the foreground again.
    case resumed
    /// A request to reload the settings file, as with ^R.
    case reload
    /// A request to suspend the process, as with ^Z.
    case suspend
    /// A request to exit.
    case exit(ExitCause)

    /// A key was pressed.
    public static func key(_ key: Key) -> Event { .keys([key]) }
}

/// The refresh of a source of targets, as far as it has changed something.
public struct SourceNotice: Sendable, Hashable {
    /// The name of the source, without secrets.
    public let name: String
    /// Whether its list is another one.
    public let hasNewList: Bool
    /// Its problem, with what follows from it; nil without a problem.
    public let problem: String?
    /// The targets of its list that were left out; nil if there are none.
    public let leftOut: String?

    /// Creates a notice.
    public init(name: String, hasNewList: Bool, problem: String?, leftOut: String? = nil) {
        (self.name, self.hasNewList, self.problem, self.leftOut) = (name, hasNewList, problem, leftOut)
    }
}

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
    case remember(EnteredLine)
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
