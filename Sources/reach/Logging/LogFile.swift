import LibC
import Synchronization

/// A log file. Lines are only written at its current end, so that other processes may append to it or truncate it
/// (`copytruncate` of logrotate). After a rename, ``reopen()`` continues in a new file.
final class LogFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        /// Whether the file ends in the middle of a line, since the disk was full.
        var endsInLine = false
        /// Whether an error was reported since the file was opened.
        var hasReported = false
    }

    /// Opens the file; a new one has mode 600. For a FIFO, waits until it has a reader.
    ///
    /// - Throws: ``StartupError`` when the file cannot be opened.
    init(_ path: String) throws(StartupError) {
        self.path = path
        descriptor = Self.open(path)
        guard descriptor >= 0 else {
            throw StartupError(lines: ["cannot write the log \(path): \(SystemError())"])
        }
        // A slow reader of a pipe or terminal must not block the program: lines are dropped then. Writes to a regular file
        // are not affected by O_NONBLOCK.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    private static func open(_ path: String, _ flags: Int32 = 0) -> Int32 {
        LibC.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | flags, 0o600)
    }

    /// Appends a line. The first error is reported. A line after one that was cut off begins on a new line.
    func append(_ line: String) {
        let problem = state.withLock { state -> String? in
            var bytes = Array((state.endsInLine ? "\n\(line)\n" : "\(line)\n").utf8)[...]
            while !bytes.isEmpty {
                // With O_APPEND, since other processes may write to the file.
                let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if written > 0 { state.endsInLine = written < bytes.count }
                if written >= 0 {
                    bytes = bytes.dropFirst(written)
                } else if errno != EINTR {
                    break
                }
            }
            // Lines that do not fit into a FIFO are dropped.
            guard !bytes.isEmpty, errno != EAGAIN, errno != EPIPE, !state.hasReported else { return nil }
            state.hasReported = true
            return SystemError().description
        }
        guard let problem else { return }
        StandardStreams.printMessage("cannot write the log \(path): \(problem) – lines are lost", priority: .error)
    }

    /// Opens the path again if it is not the open file any more, as after a rename by logrotate.
    ///
    /// - Throws: ``StartupError`` when the path cannot be opened; the open file stays in use.
    func reopen() throws(StartupError) {
        guard FileNumber(at: path) != FileNumber(of: descriptor) else { return }
        // Nonblocking, since the path may be a FIFO without a reader now.
        let file = Self.open(path, O_NONBLOCK)
        // Replaces the file below the same descriptor, which other threads may be writing to.
        guard file >= 0, dup2(file, descriptor) >= 0 else {
            let cause = SystemError().description
            if file >= 0 { close(file) }
            throw StartupError(lines: ["cannot reopen the log \(path): \(cause) – the old file stays in use"])
        }
        close(file)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        state.withLock { $0 = State() }
    }
}
