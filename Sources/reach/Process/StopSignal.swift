import LibC

/// SIGTSTP from another process: the terminal is restored before the process stops, as with ^Z. SIGTTIN and SIGTTOU keep
/// their default action, since the system sends them to a background process that uses its terminal.
enum StopSignal {
    /// The signals, for one consumer; none if the signal was ignored when the program started.
    ///
    /// They have a handler of their own, which the terminal replaces while it stops the process. Dispatch would take the
    /// signal that is to stop it.
    static var sequence: AsyncStream<Int32> { trapped?.numbers ?? .finished }

    private static let trapped = TrappedSignals([SIGTSTP])
}
