public import Monitoring
public import Screen

/// What happened outside: everything that reaches the dashboard's loop. The model folds each event into itself.
public enum Event: Sendable {
    /// A key was pressed.
    case key(Key)
    /// The terminal has another size.
    case resize(Size)
    /// The terminal has reported its background.
    case background(Background)
    /// Time has passed: it is so much since the start of the program, which began at this wall time.
    case tick(Duration, WallTime)
    /// Results of probes.
    case findings([Finding], at: Duration)
    /// A change in the state of a hook run.
    case hook(HookReport, at: Duration)
    /// The settings file was read again.
    case settings(Settings, at: Duration)
    /// The settings file was read again and is refused; the old settings keep running.
    case settingsRefused([String], at: Duration)
    /// The result of an effect, for the footer.
    case notice(String)
    /// The program is in the foreground again.
    case resumed
    /// The settings file is to be read again, as with ^R.
    case reload
    /// The process is to stop, as with ^Z.
    case suspend
    /// The program is to end.
    case exit(ExitCause)
}
