import LibC

/// Keeps what is written to standard error off the screen, and shows it once the terminal is given back: a library's
/// complaint would spoil a frame, and the runtime's word on a trap would vanish with the alternate screen.
final class ErrorDetour: Sendable {
    /// The most that is shown afterwards: what came last.
    static let limit = 65_536

    /// Where standard error led before.
    let original: Int32
    /// Where it leads meanwhile: a file without a name.
    let file: Int32

    /// Begins a detour; nil where standard error is no terminal, or no file can be made.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/reach-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return nil }
        unlink(path)
        let original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard original >= 0 else {
            close(file)
            return nil
        }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        _ = fcntl(file, F_SETFL, O_APPEND)
        dup2(file, STDERR_FILENO)
        self.original = original
        self.file = file
    }

    /// Ends the detour, and shows what was written meanwhile.
    func end() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        buffer.withUnsafeMutableBytes { Self.end(from: file, to: original, through: $0) }
        close(file)
        close(original)
    }

    /// The same, by calls that are safe in a signal handler.
    static func end(from file: Int32, to original: Int32, through buffer: UnsafeMutableRawBufferPointer) {
        dup2(original, STDERR_FILENO)
        let size = lseek(file, 0, SEEK_END)
        lseek(file, size > limit ? size - off_t(limit) : 0, SEEK_SET)
        while true {
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0, write(STDERR_FILENO, buffer.baseAddress, count) == count else { return }
        }
    }
}
