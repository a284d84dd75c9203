import ArgumentParser
import Foundation
import Monitoring
import SettingsFile

/// `reach validate`: prints every problem of the settings, or its warnings and "ok".
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Print every problem and warning of the settings, or \"ok\".",
        usage: """
            reach validate                check the file that reach reads
            reach validate other.toml     check this file
            """,
        discussion: """
            A warning is a part that has no effect, such as a group without targets.
            Exit status: 0 no problem, 1 problems, 2 file not found or not readable.
            """
    )

    @Argument(
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var file: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file, as for the other commands.", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let summary: String
        do throws(SettingsFailure) {
            let found =
                if let file, !file.isEmpty {
                    SettingsFile(path: file)
                } else {
                    try SettingsFile.locate(config: file ?? config, environment: environment)
                }
            let (settings, warnings) = try found.readWarnings(environment: environment)
            summary = (warnings.map(\.description) + [Self.summary(of: settings)]).joined(separator: "\n")
        } catch .problems(let problems) {
            try StandardStreams.write(problems.map { "\($0.description)\n" }.joined())
            throw ExitCode(1)
        } catch .unreadable(let line), .notFound(let line) {
            StandardStreams.printMessage(line)
            throw ExitCode(2)
        }
        try StandardStreams.print(summary)
    }

    private static func summary(of settings: Settings) -> String {
        let hooks = settings.targets.reduce(0) { $0 + $1.hooks.count }
        let targets = settings.targets.count
        let disabled = settings.disabledTargets.isEmpty ? "" : ", \(settings.disabledTargets.count) not enabled"
        return
            "ok: \(targets) \(targets == 1 ? "target" : "targets")\(disabled), \(hooks) \(hooks == 1 ? "hook" : "hooks")"
    }
}
