import ArgumentParser
import Foundation
import Monitoring
import SettingsFile

/// `reach validate`: every problem of the settings, or "ok".
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Tell every problem of the settings, or \"ok\".",
        usage: """
            reach validate                the file that reach would read
            reach validate other.toml     this one
            """,
        discussion: "Exit status: 0 no problem, 1 problems, 2 the file cannot be read."
    )

    @Argument(
        help: ArgumentHelp("The settings file; dashboard.toml unless given.", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var file: String?

    @Option(
        help: ArgumentHelp("The settings file, as for the other commands.", valueName: "file"),
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
            summary = Self.summary(of: try found.read(environment: environment))
        } catch .problems(let problems) {
            try StandardStreams.write(problems.map { "\($0.description)\n" }.joined())
            throw ExitCode(1)
        } catch .unreadable(let line) {
            StandardStreams.complain(line)
            throw ExitCode(2)
        }
        try StandardStreams.print(summary)
    }

    private static func summary(of settings: Settings) -> String {
        let hooks = settings.targets.reduce(0) { $0 + $1.hooks.count }
        let targets = settings.targets.count
        return "ok: \(targets) \(targets == 1 ? "target" : "targets"), \(hooks) \(hooks == 1 ? "hook" : "hooks")"
    }
}
