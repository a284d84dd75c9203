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
        do throws(SettingsFailure) {
            let found =
                if let file, !file.isEmpty {
                    SettingsFile(path: file)
                } else {
                    try SettingsFile.locate(config: file ?? config, environment: environment)
                }
            let settings = try found.read(environment: environment)
            let hooks = settings.targets.reduce(0) { $0 + $1.hooks.count }
            let targets = settings.targets.count
            _ = StandardStreams.print(
                "ok: \(targets) \(targets == 1 ? "target" : "targets"), \(hooks) \(hooks == 1 ? "hook" : "hooks")"
            )
        } catch .problems(let problems) {
            for problem in problems { _ = StandardStreams.print(problem.description) }
            throw ExitCode(1)
        } catch .unreadable(let line) {
            StandardStreams.complain(line)
            throw ExitCode(2)
        }
    }
}
