import Monitoring
import UnixSignals

/// The signals that the program answers itself. They are trapped before anything that a signal must not leave half done.
struct Signals: Sendable {
    /// The signals in the order in which they come.
    let sequence: UnixSignalsSequence

    /// Traps what ends the program, what reads the settings again, and what the terminal tells.
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
    /// Whether the signal asks a program to end.
    var isEnding: Bool {
        self == .sigint || self == .sigterm || self == .sighup || self == .sigquit
    }
}
