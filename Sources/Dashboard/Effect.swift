public import Monitoring

/// What the model asks of the outside.
public enum Effect: Sendable, Hashable {
    /// Perform what follows from a change of the roster: probes, and hooks to run or to drop.
    case perform(Consequences)
    /// Let so many hooks run at the same time.
    case limitHooks(Int)
    /// Put this on the clipboard.
    case copy(String)
    /// Switch the terminal's mouse reports on or off.
    case mouse(Bool)
    /// Save a picture in a file of this name, and report the result.
    case save(String, name: String)
    /// Save a line that was entered for the next run.
    case remember(PastLine)
    /// Read the settings file again.
    case reload
    /// Paint every cell of the screen.
    case repaint
    /// Leave the screen and stop until the user brings the program back.
    case suspend
    /// Take the terminal again: the program was stopped from outside, and a shell had it meanwhile.
    case retake
    /// End the program.
    case exit(ExitCause)
}
