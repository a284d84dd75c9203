import LibC
import Monitoring
import UnixSignals

/// The signals that the program handles itself. They are trapped before any work that a signal must not interrupt.
struct Signals: Sendable {
    /// The signals, in the order of arrival.
    let sequence: UnixSignalsSequence

    /// The other signals that request the exit; nil if they end the program at once.
    private let others: TrappedSignals?

    /// Traps the signals that end the program, reload the settings or come from the terminal.
    ///
    /// - Parameter others: Whether all signals that would end the program without a line of output, or leave a partial file,
    ///   are trapped and request its exit. Otherwise SIGUSR1 reloads the settings of the dashboard, and other commands ignore
    ///   it.
    init(withOthers others: Bool = false) async {
        sequence = await UnixSignalsSequence(
            trapping: [.sigint, .sigterm, .sighup, .sigquit, .sigusr1, .sigwinch, .sigcont]
        )
        // Dispatch has SIGUSR1. Exceeding the file size limit is an error of the write that does it.
        self.others = others ? TrappedSignals(otherEndingSignals.filter { ![SIGUSR1, SIGXFSZ].contains($0) }) : nil
    }

    /// The numbers of the signals that request the exit of the program, for one consumer. Those that were ignored at the start
    /// are left out, as with `nohup`.
    func endings() -> AsyncStream<Int32> {
        let (numbers, number) = AsyncStream<Int32>.makeStream()
        let tasks = [
            Task {
                for await signal in sequence where signal.isEnding || others != nil && signal == .sigusr1 {
                    if !InitialProcessState.atStart.ignores(signal.rawValue) { number.yield(signal.rawValue) }
                }
            },
            Task { if let others { for await signal in others.numbers { number.yield(signal) } } },
        ]
        number.onTermination = { _ in for task in tasks { task.cancel() } }
        return numbers
    }
}

extension UnixSignal {
    /// Whether the signal requests the exit of every command.
    var isEnding: Bool {
        [.sigint, .sigterm, .sighup, .sigquit].contains(self)
    }
}
