@preconcurrency import Dispatch
import ReachSystem
import Synchronization

/// Records that one of some signals has arrived. The program handles them too, but not while its thread waits for the
/// terminal.
final class SignalFlag: Sendable {
    private let value: Value
    private let sources: [any DispatchSourceSignal]

    private final class Value: Sendable {
        let isSet = Atomic(false)
    }

    /// The signals that request the exit.
    static let endings = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    init(_ signals: [Int32]) {
        let value = Value()
        self.value = value
        sources = signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
            source.setEventHandler { value.isSet.store(true, ordering: .relaxed) }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Whether one of the signals has arrived, since ``clear()`` if that was called.
    var isSet: Bool { value.isSet.load(ordering: .relaxed) }

    /// Forgets the signals that have arrived.
    func clear() {
        value.isSet.store(false, ordering: .relaxed)
    }
}

/// A pipe that wakes a thread from `poll`, once and for good.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// - Throws: ``TerminalProblem/refused(_:)`` if the process has too many files open.
    init() throws(TerminalProblem) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .refused(SystemError().description) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Makes the read end readable from now on.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }
}
