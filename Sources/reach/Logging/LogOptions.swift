import ArgumentParser
import Logging
import Reporting

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
