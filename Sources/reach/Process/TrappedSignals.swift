@preconcurrency import Dispatch
import LibC
import Synchronization

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
            _ = LibC.signal(signal) { number in
                let code = errno
                var number = number
                _ = write(TrappedSignals.pipeEnd.load(ordering: .relaxed), &number, MemoryLayout<Int32>.size)
                errno = code
            }
        }
    }
}
