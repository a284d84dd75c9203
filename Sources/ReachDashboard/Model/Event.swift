public import ReachMonitoring
public import ReachScreen

/// An input of the dashboard's event loop. ``Model/update(_:)`` folds each event into the model.
public struct Event: Sendable {
    /// What happened.
    public let kind: Kind
    /// When it happened, since the start of the program.
    public let time: Duration

    /// Creates an event.
    public init(_ kind: Kind, at time: Duration) {
        (self.kind, self.time) = (kind, time)
    }

    /// What an event is.
    public enum Kind: Sendable {
        /// Keys were pressed since the last event, in this order.
        case keys([Key])
        /// The terminal was resized.
        case resize(Size)
        /// The terminal reported its background.
        case background(Background)
        /// The clock ticked: the present wall time of the program's start.
        case tick(WallTime)
        /// Results of probes.
        case findings([Finding])
        /// An update of the targets of other programs.
        case fleet(FleetUpdate)
        /// The past of the fleet's target with this name, as its servers have it.
        case fleetHistory(FleetHistory, of: String)
        /// The answer to ``Effect/silence(_:)``.
        case silenced(SilenceReport)
        /// A change in the state of a hook run.
        case hook(HookReport)
        /// The first settings, or settings that were read without a text for editing.
        case settings(Settings)
        /// The settings were read and rejected with these problems; the old ones stay in use.
        case settingsRefused([String])
        /// A source of targets was refreshed.
        case source(SourceNotice)
        /// The result of ``Effect/edit(_:)``.
        case edited(EditResult)
        /// The settings file has changed on disk.
        case fileChanged
        /// The result of an effect, for the footer.
        case notice(String)
        /// A message of the program, for the events and the footer.
        case message(String, isProblem: Bool)
        /// The targets' past before the start of the program.
        case past(StoredPast)
        /// The lines that were entered at prompts in earlier runs, the newest last.
        case recalled([EnteredLine])
        /// The process that runs the hooks from now on.
        case hookOwner(HookOwner)
        /// The answer to ``Effect/readHistory(_:)``, and the offsets of local time in its span.
        case history(HistoryAnswer, ZoneOffsets)
        /// The paths to targets, as ``Effect/showPaths(_:)`` requested: all of them if `isComplete`, otherwise those that have
        /// changed.
        case paths([Target.ID: PathSnapshot], isComplete: Bool)
        /// A hint in place of the banner: there is no settings file, and the targets are those of this machine.
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
        public static func key(_ key: Key) -> Kind { .keys([key]) }
    }
}

/// A refresh of a source of targets that changed its list or its problem.
public struct SourceNotice: Sendable, Hashable {
    /// The name of the source, without secrets.
    public let name: String
    /// The problem of the source and its consequence; nil without a problem.
    public let problem: String?
    /// A summary of the targets that the list has and the settings leave out; nil if there are none.
    public let leftOut: String?
    /// The settings with the new list; nil if the list is unchanged.
    public let settings: Settings?
    /// A summary of the targets that the new list adds, removes and changes; nil if there are none.
    public let changes: String?

    /// Creates a notice.
    public init(
        name: String,
        problem: String?,
        leftOut: String? = nil,
        settings: Settings? = nil,
        changes: String? = nil
    ) {
        (self.name, self.problem, self.leftOut) = (name, problem, leftOut)
        (self.settings, self.changes) = (settings, changes)
    }
}

/// A side effect that the model requests; the session performs it.
public enum Effect: Sendable, Hashable {
    /// Perform the consequences of a roster change: probe requests, and hook runs to start or drop.
    case perform(Consequences)
    /// Read these targets of the fleet, and all of these groups, more often than the others.
    case showFleet([String], groups: Set<String>)
    /// Read the past of this target of the fleet, and answer with ``Event/Kind/fleetHistory(_:of:)``.
    case readFleetHistory(of: String)
    /// Deliver these paths from now on, with ``Event/Kind/paths(_:isComplete:)``.
    case showPaths(PathRequest)
    /// Send this silence to Alertmanager, and report the answer.
    case silence(Silence)
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
    /// Save a picture in a file of this name, and answer with ``Event/Kind/notice(_:)``.
    case save(String, name: String)
    /// Write what the history has of a time, since 1970, into a file of this name, with all minutes of the targets of these names;
    /// answer with ``Event/Kind/notice(_:)``.
    case saveIncident(at: Duration, of: [String], among: [ProbeRequest.Assignment], name: String)
    /// Add an entered line to the history for the next run.
    case remember(EnteredLine)
    /// Read the history, and answer with ``Event/Kind/history(_:_:)``.
    case readHistory(HistoryRequest)
    /// Edit, read or write the settings, and answer with ``Event/Kind/edited(_:)`` or ``Event/Kind/settingsRefused(_:)``.
    case edit(EditRequest)
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
