import LibC

/// A file that lines are appended to. Others may append to it as well, and cut it down: nothing is ever written but at its
/// present end (logrotate's `copytruncate`).
struct LogFile: Sendable {
    private let descriptor: Int32

    /// Opens the file, made for the user alone where it does not exist. A pipe is waited for until it has a reader.
    ///
    /// - Throws: ``TargetProblems`` when it cannot be opened.
    init(_ path: String) throws(TargetProblems) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TargetProblems(lines: ["cannot write the log \(path): \(String(cString: strerror(errno)))"])
        }
        // What is read too slowly, a pipe or a terminal, must not hold the program up: lines are dropped then. A regular
        // file is never too slow in this sense.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Appends a line.
    func append(_ line: String) {
        // One write with O_APPEND: lines of several threads do not mix.
        _ = writeAll(line + "\n", to: descriptor)
    }
}
