public import Monitoring

/// What the model asks of the outside.
public enum Effect: Sendable, Hashable {
    /// Ask targets, or leave them alone.
    case probe(ProbeRequest)
    /// A target's health changed, in case hooks that wait for it are obsolete now.
    case transition(Target.ID, Transition)
    /// Run these hooks, in order.
    case run([HookRun])
    /// Drop the hooks that wait for these targets, which the settings no longer have.
    case dropHooks(of: [Target.ID])
    /// Let so many hooks run at the same time.
    case limitHooks(Int)
    /// Put this on the clipboard.
    case copy(String)
    /// Let the terminal tell what the mouse does, or not.
    case mouse(Bool)
    /// Keep a picture in a file of this name, and tell what became of it.
    case save(String, name: String)
    /// Keep a line that was typed for the next run.
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
    case quit
}
