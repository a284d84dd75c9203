import LibC

/// A log file. Lines are only written at its current end, so that other processes may append to it or truncate it
/// (`copytruncate` of logrotate).
struct LogFile: Sendable {
    private let descriptor: Int32

    /// Opens the file; a new one has mode 600. For a FIFO, waits until it has a reader.
    ///
    /// - Throws: ``StartupError`` when the file cannot be opened.
    init(_ path: String) throws(StartupError) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StartupError(lines: ["cannot write the log \(path): \(String(cString: strerror(errno)))"])
        }
        // A slow reader of a pipe or terminal must not block the program: lines are dropped then. Writes to a regular file
        // are not affected by O_NONBLOCK.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Appends a line.
    func append(_ line: String) {
        // A single write with O_APPEND keeps the lines of several threads apart.
        _ = writeAll(line + "\n", to: descriptor)
    }
}
