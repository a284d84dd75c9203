import ArgumentParser
import Foundation
import Logging

/// What `dashboard` and `watch` have in common.
struct SharedOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A URL, HOST (icmp), HOST:PORT (tcp), or @NAME or @group:NAME of the settings; none: all of the settings.",
            valueName: "target"
        ),
        completion: .custom(TargetCompletion.words)
    )
    var targets: [String] = []

    @Option(help: ArgumentHelp("The settings file.", valueName: "file"), completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(
        help: ArgumentHelp("Append a log of the program's own doings to a file.", valueName: "file"),
        completion: .file()
    )
    var log: String?

    /// Where the targets come from.
    ///
    /// - Parameter commands: the commands that the first of their words may have been meant for.
    func source(orOneOf commands: [String] = []) throws(TargetProblems) -> TargetSource {
        try TargetSource(
            words: targets,
            config: config,
            environment: ProcessInfo.processInfo.environment,
            commands: commands
        )
    }

    /// Makes the loggers of the parts: into the file, or nowhere.
    func loggers(time: ProgramTime) throws(TargetProblems) -> @Sendable (String) -> Logger {
        try Self.loggers(to: log, time: time)
    }

    /// Makes the loggers of the parts: into this file, or nowhere.
    static func loggers(to log: String?, time: ProgramTime) throws(TargetProblems) -> @Sendable (String) -> Logger {
        guard let log else { return { label in Logger(label: label) { _ in SwiftLogNoOpLogHandler() } } }
        let descriptor = try FileLogHandler.open(log)
        return { label in
            var logger = Logger(label: label) { FileLogHandler(descriptor: descriptor, label: $0, time: time) }
            logger.logLevel = .debug
            return logger
        }
    }
}
