import ArgumentParser
import Logging
import ReachMonitoring
import ReachReporting
import ReachSystem
import Synchronization

/// The options of the log: its file, format and level.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Log file; lines are appended.", valueName: "file"),
        completion: .file()
    )
    var log: String?

    @Option(
        help: ArgumentHelp("Format of the log: logfmt (key=value) or json.", valueName: "format"),
        completion: .list(LogFormat.allCases.map(\.rawValue)),
        transform: LogFormat.init(argument:)
    )
    var logFormat = LogFormat.logfmt

    @Flag(
        name: .shortAndLong,
        help:
            "Log level: -v hooks and targets, -vv internals, -vvv every probe; to standard error without --log, which the dashboard needs."
    )
    var verbose: Int

    /// The log level; by default, changes of health and problems are logged.
    var level: Logger.Level {
        switch verbose {
        case ...0: .notice
        case 1: .info
        case 2: .debug
        default: .trace
        }
    }

    /// Opens the file of the log; nil without `--log`.
    func file() throws(StartupError) -> LogFile? {
        guard let log else { return nil }
        return try LogFile(log)
    }

    /// Returns a factory of loggers that write to the file, to standard error with `-v`, or nowhere.
    ///
    /// - Parameters:
    ///   - redaction: Removes secrets.
    ///   - errors: Writes lines to standard error; nil while the dashboard uses the screen.
    func loggers(
        time: ProgramTime,
        redaction: SharedRedaction,
        errors: (@Sendable (String) -> Void)? = StandardStreams.log
    ) throws(StartupError) -> @Sendable (String) -> Logger {
        try loggers(to: try file(), time: time, redaction: redaction, errors: errors)
    }

    /// Returns a factory of loggers that write to an open file.
    func loggers(
        to file: LogFile?,
        time: ProgramTime,
        redaction: SharedRedaction,
        errors: (@Sendable (String) -> Void)?
    ) throws(StartupError) -> @Sendable (String) -> Logger {
        guard let write = try sink(file, errors) else {
            return { label in Logger(label: label) { _ in SwiftLogNoOpLogHandler() } }
        }
        return { [level, logFormat] label in
            var logger = Logger(label: label) {
                LineLogHandler(label: $0, time: time, format: logFormat, redaction: redaction, write: write)
            }
            logger.logLevel = level
            return logger
        }
    }

    private func sink(
        _ file: LogFile?,
        _ errors: (@Sendable (String) -> Void)?
    ) throws(StartupError) -> (@Sendable (String, Logger.Level) -> Void)? {
        if let file { return { line, _ in file.append(line) } }
        guard verbose > 0 else { return nil }
        guard let errors else {
            throw StartupError(lines: ["-v: needs --log FILE, since the dashboard uses the screen"])
        }
        return { line, level in errors(JournalPriority(level).prefixed(line)) }
    }
}

extension LogFormat {
    /// The format of an argument.
    fileprivate init(argument: String) throws {
        guard let format = Self(rawValue: argument) else {
            throw ValidationError("use logfmt or json")
        }
        self = format
    }
}

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
        ReachSystem.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | flags, 0o600)
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

/// A log handler that writes each entry as a line. Secrets are removed, and control characters escaped.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let time: ProgramTime
    private let format: LogFormat
    private let redaction: SharedRedaction
    private let write: @Sendable (String, Logger.Level) -> Void

    init(
        label: String,
        time: ProgramTime,
        format: LogFormat,
        redaction: SharedRedaction,
        write: @escaping @Sendable (String, Logger.Level) -> Void
    ) {
        self.label = label
        self.time = time
        self.format = format
        self.redaction = redaction
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let redaction = redaction.current
        var fields: [String: String] = [:]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { _, new in new }) {
            fields[key] = redaction.text(key == "target" ? redaction.label("\(value)") : "\(value)")
        }
        let entry = LogEntry(
            time: time.wall.timestamp(at: time.now),
            level: "\(event.level)",
            logger: label,
            message: redaction.text("\(event.message)"),
            fields: fields
        )
        write(entry.line(in: format), event.level)
    }
}
