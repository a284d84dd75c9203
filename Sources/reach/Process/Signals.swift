import Monitoring
import UnixSignals

/// The signals that the program handles itself. They are trapped before any work that a signal must not interrupt.
struct Signals: Sendable {
    /// The signals, in the order of arrival.
    let sequence: UnixSignalsSequence

    /// Traps the signals that end the program, reload the settings or come from the terminal.
    init() async {
        sequence = await UnixSignalsSequence(
            trapping: .sigint,
            .sigterm,
            .sighup,
            .sigquit,
            .sigusr1,
            .sigwinch,
            .sigcont
        )
    }
}

extension UnixSignal {
    /// Whether the signal requests the exit of the program.
    var isEnding: Bool {
        self == .sigint || self == .sigterm || self == .sighup || self == .sigquit
    }
}
