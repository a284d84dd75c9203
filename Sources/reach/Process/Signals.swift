import Monitoring
import UnixSignals

/// The signals that the program handles itself. They are trapped before any work that a signal must not interrupt.
struct Signals: Sendable {
    /// The signals, in the order of arrival.
    let sequence: UnixSignalsSequence

    /// Whether SIGUSR1 requests the exit of the program. Otherwise it reloads the settings of the dashboard, and other commands
    /// ignore it.
    private let endsOnUser1: Bool

    /// Traps the signals that end the program, reload the settings or come from the terminal.
    ///
    /// - Parameter others: Whether all signals that would end the program without a line of output are trapped and request
    ///   its exit.
    init(withOthers others: Bool = false) async {
        endsOnUser1 = others
        sequence = await UnixSignalsSequence(
            trapping: [.sigint, .sigterm, .sighup, .sigquit, .sigusr1, .sigwinch, .sigcont]
                + (others ? [.sigalrm, .sigusr2] : [])
        )
    }

    /// Whether a signal of the sequence requests the exit of the program.
    func isEnding(_ signal: UnixSignal) -> Bool {
        signal.isEnding || endsOnUser1 && signal == .sigusr1
    }
}

extension UnixSignal {
    /// Whether the signal requests the exit of every command.
    var isEnding: Bool {
        [.sigint, .sigterm, .sighup, .sigquit, .sigalrm, .sigusr2].contains(self)
    }
}
