import ReachSystem

/// Captures standard error while the dashboard is on screen and prints it afterwards. A library's message would damage a
/// frame, and the runtime's crash report would disappear with the alternate screen.
final class StandardErrorCapture: Sendable {
    /// The maximum number of bytes that are printed afterwards: the newest ones.
    static let limit = 65_536
    /// The size at which the file is trimmed.
    static let maximumSize = 1_048_576

    /// The former standard error.
    let original: Int32
    /// The file that captures it, already unlinked.
    let file: Int32
    /// The terminal that standard error is, opened without blocking; the former standard error if that fails.
    let output: Int32
    /// The number of attempts to write to a terminal that accepts no bytes, ten milliseconds apart.
    private static let attempts = 50

    /// Starts the capture; nil if standard error is not a terminal, or if no file can be created.
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
        output = StandardErrorTerminal.open() ?? original
        dup2(file, STDERR_FILENO)
        self.original = original
        self.file = file
    }

    /// Drops the oldest bytes of a large file. Bytes that are written meanwhile may be dropped too.
    static func trim(_ file: Int32) {
        let size = lseek(file, 0, SEEK_END)
        guard size > maximumSize else { return }
        // More than is printed, so that ``end()`` notices the dropped bytes by the size.
        var newest = [UInt8](repeating: 0, count: 2 * limit)
        let count = newest.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, size - off_t($0.count)) }
        guard count > 0, ftruncate(file, 0) == 0 else { return }
        _ = newest.withUnsafeBytes { write(file, $0.baseAddress, count) }
    }

    /// Ends the capture, prints the captured bytes, and reports that older ones were dropped.
    func end() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        buffer.withUnsafeMutableBytes { Self.end(from: file, to: original, printingOn: output, through: $0) }
        close(file)
        close(original)
        if output != original { close(output) }
    }

    /// The same with async-signal-safe calls only (signal-safety(7)).
    static func end(
        from file: Int32,
        to original: Int32,
        printingOn output: Int32,
        through buffer: UnsafeMutableRawBufferPointer
    ) {
        dup2(original, STDERR_FILENO)
        let size = lseek(file, 0, SEEK_END)
        lseek(file, size > limit ? size - off_t(limit) : 0, SEEK_SET)
        let note: StaticString = "reach: earlier messages on standard error were dropped\n"
        if size > limit { _ = write(output, note.utf8Start, note.utf8CodeUnitCount) }
        var attempts = attempts
        while true {
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return }
            var written = 0
            while written < count {
                let next = write(output, buffer.baseAddress?.advanced(by: written), count - written)
                if next > 0 {
                    written += next
                } else {
                    guard errno == EAGAIN || errno == EINTR, attempts > 0 else { return }
                    attempts -= 1
                    poll(nil, 0, 10)
                }
            }
        }
    }
}

/// The terminal of standard error, reopened, so that `O_NONBLOCK` does not affect processes that share the descriptor. A
/// terminal that accepts no bytes cannot block the program.
public struct StandardErrorTerminal: Sendable {
    private let device: Device

    /// Opens it; nil if standard error is not a terminal.
    public init?() {
        guard let path = Self.path, let device = try? Device(path: path) else { return nil }
        device.limitWrites(true)
        self.device = device
    }

    /// Writes text. Gives up after half a second without progress, and from then on at once.
    public func write(_ text: String) {
        _ = device.write(ArraySlice(text.utf8))
    }

    /// Returns a descriptor for it that does not block; nil if there is none.
    static func open() -> Int32? {
        guard let path else { return nil }
        let descriptor = ReachSystem.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        return descriptor >= 0 ? descriptor : nil
    }

    private static var path: String? {
        ttyname(STDERR_FILENO).map { String(cString: $0) }
    }
}
