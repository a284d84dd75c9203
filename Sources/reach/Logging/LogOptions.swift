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
        transform: LogFormat.argument
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

    /// Opens the file of the log; nil without `--log`. Its last lines are written before the exit of the program.
    func file() throws(StartupError) -> LogFile? {
        guard let log else { return nil }
        let file = try LogFile(log)
        Self.openFile.withLock { $0 = file }
        return file
    }

    private static let openFile = Mutex<LogFile?>(nil)

    /// Writes the lines that wait for the file of the log.
    static func flush() async {
        await openFile.withLock(\.self)?.flush()
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
            throw StartupError("-v: needs --log FILE, since the dashboard uses the screen")
        }
        return { line, level in errors(JournalPriority(level).prefixed(line)) }
    }
}

/// A log file, written on a queue of its own, so that a file system that does not respond cannot stop the program.
///
/// Lines are only written at its current end, so that other processes may append to it or truncate it (`copytruncate` of
/// logrotate). After a rename, ``reopen(onFailure:)`` continues in a new file.
final class LogFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let writer: LineWriter
    private let losses: LossReporter
    private let isReopening = Atomic<Bool>(false)

    /// Opens the file; a new one has mode 600. For a FIFO, waits until it has a reader.
    ///
    /// - Throws: ``StartupError`` when the file cannot be opened.
    init(_ path: String) throws(StartupError) {
        self.path = path
        descriptor = Self.open(path)
        guard descriptor >= 0 else {
            throw StartupError("cannot write the log \(path): \(SystemError())")
        }
        losses = LossReporter(path: path)
        writer = LineWriter(
            descriptor,
            onError: { [losses] error in
                // A FIFO without a reader loses lines.
                if error.code != EPIPE { losses.report(error.description) }
            }
        )
    }

    private static func open(_ path: String, _ flags: Int32 = 0) -> Int32 {
        ReachSystem.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | flags, 0o600)
    }

    /// Appends a line later. It is dropped when too many lines wait for a slow disk or reader.
    func append(_ line: String) {
        writer.enqueue(line)
        if writer.nextDropReport() != nil { losses.report("the file system or the reader is too slow") }
    }

    /// Waits until all lines are written, while there is progress, and for five seconds at most.
    func flush() async {
        _ = await writer.flush()
    }

    /// Opens the path again, on the queue, if it is not the open file any more, as after a rename by logrotate.
    ///
    /// - Parameter report: Called when the path cannot be opened; the open file stays in use.
    func reopen(onFailure report: @escaping @Sendable (_ problem: String) -> Void) {
        guard !isReopening.exchange(true, ordering: .relaxed) else { return }
        writer.perform { [self] in
            isReopening.store(false, ordering: .relaxed)
            guard FileNumber(at: path) != FileNumber(of: descriptor) else { return }
            // Nonblocking, since the path may be a FIFO without a reader now.
            let file = Self.open(path, O_NONBLOCK)
            // The writer keeps its descriptor.
            guard file >= 0, dup2(file, descriptor) >= 0 else {
                let cause = SystemError().description
                if file >= 0 { close(file) }
                return report("cannot reopen the log \(path): \(cause) – the old file stays in use")
            }
            close(file)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            losses.reset()
        }
    }

    /// Reports the first loss of lines since the file was opened.
    private final class LossReporter: Sendable {
        private let path: String
        private let hasReported = Atomic<Bool>(false)

        init(path: String) {
            self.path = path
        }

        func report(_ cause: String) {
            guard !hasReported.exchange(true, ordering: .relaxed) else { return }
            StandardStreams.printMessage("cannot write the log \(path): \(cause) – lines are lost", priority: .error)
        }

        func reset() {
            hasReported.store(false, ordering: .relaxed)
        }
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
