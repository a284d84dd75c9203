@preconcurrency import Dispatch
import LibC

/// SIGTSTP, sent from outside: the terminal is restored before the process stops, as with ^Z. SIGTTIN and SIGTTOU keep their
/// default action, since the system sends them to a process in the background that uses its terminal.
enum StopSignal {
    /// An element for each signal; none where the signal was ignored when the program started.
    static var sequence: AsyncStream<Void> {
        AsyncStream { continuation in
            guard !Inheritance.atStart.ignores(SIGTSTP) else { return }
            #if canImport(Darwin)
                // Dispatch only observes signals there.
                _ = signal(SIGTSTP, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            continuation.onTermination = { _ in source.cancel() }
        }
    }
}
