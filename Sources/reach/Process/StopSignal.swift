@preconcurrency import Dispatch
import LibC

/// SIGTSTP from another process: the terminal is restored before the process stops, as with ^Z. SIGTTIN and SIGTTOU keep
/// their default action, since the system sends them to a background process that uses its terminal.
enum StopSignal {
    /// Yields for each signal; never if the signal was ignored when the program started.
    static var sequence: AsyncStream<Void> {
        AsyncStream { continuation in
            guard !InitialProcessState.atStart.ignores(SIGTSTP) else { return }
            #if canImport(Darwin)
            // On Darwin, Dispatch only observes signals.
            _ = signal(SIGTSTP, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            continuation.onTermination = { _ in source.cancel() }
        }
    }
}
