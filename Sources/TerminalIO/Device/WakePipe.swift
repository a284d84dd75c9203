import LibC

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
