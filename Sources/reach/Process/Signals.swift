@preconcurrency import Dispatch
import ReachMonitoring
import ReachSystem
import Synchronization
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
        // The sequence has SIGUSR1. Exceeding the file size limit is an error of the write that does it.
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

/// Signals of any number, which swift-service-lifecycle does not have. They stay trapped until the process ends.
///
/// Dispatch's sources of signals would need a descriptor for each of them.
final class TrappedSignals: Sendable {
    /// The end of the pipe that the handler writes to: a handler may use only memory that is already allocated.
    private static let pipeEnd = Atomic<Int32>(-1)

    /// The numbers, in the order of arrival.
    let numbers: AsyncStream<Int32>
    private let source: any DispatchSourceRead

    /// Traps signals, except those that were ignored at the start.
    ///
    /// - Returns: nil if there is no descriptor left. The signals then end the process.
    init?(_ signals: [Int32]) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (numbers, number) = AsyncStream<Int32>.makeStream()
        self.numbers = numbers
        source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
        source.setEventHandler { [readEnd = ends[0]] in
            var signal: Int32 = 0
            while read(readEnd, &signal, MemoryLayout<Int32>.size) == MemoryLayout<Int32>.size { number.yield(signal) }
        }
        source.activate()
        Self.pipeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        for signal in signals where !InitialProcessState.atStart.ignores(signal) {
            _ = ReachSystem.signal(signal) { number in
                let code = errno
                var number = number
                _ = write(TrappedSignals.pipeEnd.load(ordering: .relaxed), &number, MemoryLayout<Int32>.size)
                errno = code
            }
        }
    }
}

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
