import LibC

extension Device {
    /// Whether another process group is in the foreground of the terminal.
    var isInBackground: Bool {
        let foreground = tcgetpgrp(descriptor)
        // The group of another PID namespace is 0.
        return foreground > 0 && foreground != getpgrp()
    }

    /// Stops the process group while it is in the background, as the system does with programs that use the terminal there.
    /// It does not do so here, since threads of Dispatch block SIGTTOU.
    ///
    /// This returns in the foreground, when a signal requests the exit, or if the process cannot be stopped.
    func waitForForeground(unless exit: SignalFlag) {
        var failures = 0
        while isInBackground, !exit.isSet, failures < 5 {
            // A signal that came while the process was stopped has the time to arrive.
            poll(nil, 0, 50)
            guard !exit.isSet else { return }
            let time = ContinuousClock.now
            kill(0, SIGTTOU)
            // The stop may reach another thread first.
            poll(nil, 0, 50)
            failures = time.duration(to: .now) < .milliseconds(100) ? failures + 1 : 0
        }
    }
}
