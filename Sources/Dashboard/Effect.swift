public import Monitoring

/// What the model asks of the outside.
public enum Effect: Sendable, Hashable {
    /// Ask targets, or leave them alone.
    case probe(ProbeRequest)
    /// A target's health changed, in case hooks that wait for it are obsolete now.
    case transition(Target.ID, Transition)
    /// Run these hooks, in order.
    case run([HookRun])
    /// Let so many hooks run at the same time.
    case limitHooks(Int)
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
