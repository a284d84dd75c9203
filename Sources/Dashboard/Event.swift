public import Monitoring
public import Screen

/// What happened outside; the model folds each into itself.
public enum Event: Sendable {
    /// A key was pressed.
    case key(Key)
    /// The terminal has another size.
    case resize(Size)
    /// The terminal has told what its text stands on.
    case background(Background)
    /// Time has passed: it is so much since the start of the program, which began at this wall time.
    case tick(Duration, WallTime)
    /// Answers of the network.
    case findings([Finding], at: Duration)
    /// News of a hook run.
    case hook(HookReport, at: Duration)
    /// The settings file was read again.
    case settings(Settings, at: Duration)
    /// The settings file was read again and is refused; the old settings keep running.
    case settingsRefused([String], at: Duration)
    /// The outside has something to tell of what it was asked to do.
    case notice(String)
    /// The program is in the foreground again.
    case resumed
}
