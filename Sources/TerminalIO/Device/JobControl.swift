import LibC

/// Stops the process group, as ^Z does.
enum JobControl {
    /// Stops the process group by SIGTSTP with its default action, and returns when it continues.
    ///
    /// The system ignores that signal in an orphaned process group, which no shell could continue: for example that of the
    /// only program of a terminal emulator, of `ssh -t HOST reach` or of a container. SIGSTOP would stop it for good.
    ///
    /// - Parameter continued: a flag for SIGCONT.
    /// - Returns: Whether the process was stopped.
    static func stop(continued: SignalFlag) -> Bool {
        continued.clear()
        var standard = sigaction()
        var former = sigaction()
        sigaction(SIGTSTP, &standard, &former)
        defer { sigaction(SIGTSTP, &former, nil) }
        // The threads of Dispatch block signals. The other processes of the group stop too.
        var stop = sigset_t()
        var mask = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, &mask)
        kill(0, SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        // The stop may reach another thread first, and SIGCONT is reported by another one.
        for _ in 0..<50 where !continued.isSet { poll(nil, 0, 2) }
        return continued.isSet
    }
}
