import ArgumentParser
import Foundation
import Logging
import Monitoring

/// `reach hooks`: lists the hook rules of the settings, or runs the hooks of one target.
struct HooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "List the hook rules of the settings, or run the hooks of one target as a test.",
        usage: """
            reach hooks                   list the rules of dashboard.toml
            reach hooks --test NAS        run the hooks of a target now
            """,
        discussion: """
            A test runs with REACH_EVENT=test. It probes nothing and keeps no state.
            Exit status of a test: 0 all hooks succeeded, 1 a hook failed or there is none, 2 unknown target.
            """
    )

    @Option(
        help: ArgumentHelp("Target whose hooks run now.", valueName: "target"),
        completion: .custom(TargetCompletion.targetNames)
    )
    var test: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func run() async throws {
        let name = test.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        let source = try TargetSource(
            arguments: name.map { ["@\($0)"] } ?? [],
            config: config,
            environment: ProcessInfo.processInfo.environment
        )
        let settings = try source.settings()
        guard let name else {
            let lines = HookListing(settings.targets).lines
            try StandardStreams.write(lines.map { "\($0)\n" }.joined())
            if lines.isEmpty { StandardStreams.printMessage("no target has hooks: \(source.name)") }
            return
        }
        // A name with `family = "both"` has two targets with the same hooks.
        guard let target = settings.targets.first, !target.hooks.isEmpty else {
            StandardStreams.printMessage("target \"\(name)\" has no hooks")
            throw ExitCode(1)
        }
        let redaction = SharedRedaction()
        redaction.update(settings)
        let engine = Engine(time: ProgramTime(), redaction: redaction) { label in
            Logger(label: label) { _ in SwiftLogNoOpLogHandler() }
        }
        let status = await HookTest(of: target, by: engine).run()
        await engine.shutdown()
        throw ExitCode(status)
    }
}
