import ArgumentParser
import Logging

/// Where the log of the program's own doings goes, and how much is in it.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Append a log of the program's own doings to a file.", valueName: "file"),
        completion: .file()
    )
    var log: String?

    @Flag(
        name: .shortAndLong,
        help:
            "Log more: -v hooks and targets, -vv what goes on inside, -vvv every probe; to standard error unless --log is given."
    )
    var verbose: Int

    /// The least that is logged: changes of health and trouble, unless more is asked for.
    var level: Logger.Level {
        switch verbose {
        case ...0: .notice
        case 1: .info
        case 2: .debug
        default: .trace
        }
    }

    /// Makes the loggers of the parts: into the file, to standard error when more is asked for, or nowhere.
    ///
    /// - Parameters:
    ///   - redaction: removes secrets.
    ///   - errors: takes lines for standard error; nil where the screen belongs to somebody else.
    func loggers(
        time: ProgramTime,
        redaction: SharedRedaction,
        errors: (@Sendable (String) -> Void)? = StandardStreams.log
    ) throws(TargetProblems) -> @Sendable (String) -> Logger {
        guard let write = try sink(errors) else {
            return { label in Logger(label: label) { _ in SwiftLogNoOpLogHandler() } }
        }
        return { [level] label in
            var logger = Logger(label: label) {
                LineLogHandler(label: $0, time: time, redaction: redaction, write: write)
            }
            logger.logLevel = level
            return logger
        }
    }

    private func sink(_ errors: (@Sendable (String) -> Void)?) throws(TargetProblems) -> (@Sendable (String) -> Void)? {
        if let log {
            let file = try LogFile(log)
            return { file.append($0) }
        }
        guard verbose > 0 else { return nil }
        guard let errors else {
            throw TargetProblems(lines: ["-v needs --log FILE here: the screen is the dashboard's"])
        }
        return errors
    }
}
