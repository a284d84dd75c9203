import ArgumentParser
import Foundation
import Logging
import Monitoring

/// `reach hooks`: the hook rules of the settings, or those of one target run by hand.
struct HooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "List the hook rules of the settings, or run those of one target now, as a test.",
        usage: """
            reach hooks                   the rules of dashboard.toml
            reach hooks --test NAS        those of a target, run by hand
            """,
        discussion: """
            A test runs with REACH_EVENT=test; nothing is asked, and nothing is remembered of it.
            Exit status of a test: 0 all hooks succeeded, 1 one did not or there is none, 2 no such target.
            """
    )

    @Option(
        help: ArgumentHelp("Run the hooks of this target now.", valueName: "target"),
        completion: .custom(TargetCompletion.names)
    )
    var test: String?

    @Option(help: ArgumentHelp("The settings file.", valueName: "file"), completion: .file(extensions: ["toml"]))
    var config: String?

    func run() async throws {
        let name = test.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        let source = try TargetSource(
            words: name.map { ["@\($0)"] } ?? [],
            config: config,
            environment: ProcessInfo.processInfo.environment
        )
        let settings = try source.settings()
        guard let name else {
            let lines = HookListing(settings.targets).lines
            try StandardStreams.write(lines.map { "\($0)\n" }.joined())
            if lines.isEmpty { StandardStreams.complain("no target has hooks: \(source.name)") }
            return
        }
        // Of a name with two families, the first has all the hooks.
        guard let target = settings.targets.first, !target.hooks.isEmpty else {
            StandardStreams.complain("target \"\(name)\" has no hooks")
            throw ExitCode(1)
        }
        let engine = Engine(time: ProgramTime(), redaction: SharedRedaction()) { label in
            Logger(label: label) { _ in SwiftLogNoOpLogHandler() }
        }
        let status = await HookTrial(of: target, by: engine).run()
        await engine.shutdown()
        throw ExitCode(status)
    }
}
