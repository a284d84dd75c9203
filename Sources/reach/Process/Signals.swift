import Monitoring
import UnixSignals

/// The signals that the program handles itself. They are trapped before any work that a signal must not interrupt.
struct Signals: Sendable {
    /// The signals, in the order of arrival.
    let sequence: UnixSignalsSequence

    /// Traps the signals that end the program, reload the settings or come from the terminal.
    ///
    /// - Parameter others: Whether to trap the other signals that would end the program without a line of output.
    init(withOthers others: Bool = false) async {
        sequence = await UnixSignalsSequence(
            trapping: [.sigint, .sigterm, .sighup, .sigquit, .sigusr1, .sigwinch, .sigcont]
                + (others ? [.sigalrm, .sigusr2] : [])
        )
    }
}

extension UnixSignal {
    /// Whether the signal requests the exit of the program.
    var isEnding: Bool {
        [.sigint, .sigterm, .sighup, .sigquit, .sigalrm, .sigusr2].contains(self)
    }
}
