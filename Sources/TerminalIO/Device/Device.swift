import LibC
import Screen
import Synchronization

/// The terminal's device, opened on its own for reading and writing.
///
/// It does not block, which is safe because nobody shares the open file: standard input and output usually do share
/// theirs, and would both be changed.
final class Device: Sendable {
    let descriptor: Int32
    /// Whether writing has to come to an end soon.
    private let isHurried = Atomic(false)

    /// Opens a device.
    ///
    /// - Parameter path: where it is; the process's own terminal if nil.
    /// - Throws: ``TerminalProblem/noTerminal``.
    init(path: String?) throws(TerminalProblem) {
        let descriptor = open(path ?? Self.ownPath, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .noTerminal }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    private static var ownPath: String {
        #if canImport(Darwin)
            // There, poll(2) does not work with /dev/tty, only with the device that it stands for.
            for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
                if let name = ttyname(descriptor) { return String(cString: name) }
            }
        #endif
        return "/dev/tty"
    }

    /// More than any screen shows. A device may claim 65535 by 65535, and a frame of that would take all memory.
    static let largest = Size(columns: 1_000, rows: 500)

    /// The extent of the screen; that of a classic terminal if the device does not know.
    var size: Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        let (columns, rows) = (Int(window.ws_col), Int(window.ws_row))
        return Size(columns: min(columns, Self.largest.columns), rows: min(rows, Self.largest.rows))
    }

    /// The modes as they are.
    ///
    /// - Throws: ``TerminalProblem/refused(_:)``.
    func modes() throws(TerminalProblem) -> termios {
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else { throw .refused(Self.reason) }
        return modes
    }

    /// Sets modes, at once: waiting for a slow terminal to take all output could be long, and modes do not change what
    /// has been written.
    ///
    /// - Throws: ``TerminalProblem/refused(_:)``.
    func set(_ modes: termios) throws(TerminalProblem) {
        var modes = modes
        while tcsetattr(descriptor, TCSANOW, &modes) != 0 {
            guard errno == EINTR else { throw .refused(Self.reason) }
        }
    }

    /// Drops what was typed and not read.
    func dropInput() {
        tcflush(descriptor, TCIFLUSH)
    }

    /// Makes a `write` that a stuck terminal holds up give up within half a second, and those that follow, until false.
    func hurry(_ isHurried: Bool) {
        self.isHurried.store(isHurried, ordering: .relaxed)
    }

    /// Writes of some bytes what the terminal takes without a wait.
    ///
    /// - Returns: How many it took; none if it is gone.
    func writeAtOnce(_ bytes: [UInt8]) -> Int {
        guard !LastResort.hasStruck.load(ordering: .sequentiallyConsistent) else { return 0 }
        return max(0, bytes.withUnsafeBytes { systemWrite(descriptor, $0) })
    }

    /// Writes bytes, however long the terminal takes for them.
    ///
    /// - Returns: False if it is gone, or in a hurry too slow.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            var attempts = 5
            while !rest.isEmpty {
                guard !LastResort.hasStruck.load(ordering: .sequentiallyConsistent) else { return false }
                let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno == EAGAIN {
                    if isHurried.load(ordering: .relaxed) {
                        attempts -= 1
                        if attempts < 0 { return false }
                    }
                    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&polled, 1, 100)
                } else if count == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    private static var reason: String {
        String(cString: strerror(errno))
    }
}

/// The system's call, whose name is hidden inside a type that has a `write` of its own.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
