public import Monitoring
public import Screen

/// An input of the dashboard's event loop. ``Model/update(_:)`` folds each event into the model.
public enum Event: Sendable {
    /// Keys were pressed since the last event, in this order. Their time is that of the last event if it is not known.
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
