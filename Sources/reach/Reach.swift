import ArgumentParser

/// The program: what answers, what does not, and a command of yours the moment something answers again.
@main
struct Reach: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "reach",
        abstract: "Shows what answers and what does not, and runs your command the moment something answers again.",
        usage: """
            reach                          the dashboard of dashboard.toml
            reach 192.0.2.1 nas.local:445  the dashboard of these
            reach watch                    without a screen, hooks included
            reach check                    asks each once; status 1: one is down
            reach wait db:5432 -- ./serve  waits until it answers, then serves
            reach fetch https://example.com/a -o a  until a is whole
            reach init                     a dashboard.toml to begin with
            reach validate                 every problem of it, or "ok"
            reach hooks --test NAS         the hooks of a target, run by hand
            reach doctor                   what this machine lets it do
            """,
        version: "reach \(version)",
        subcommands: [
            DashboardCommand.self, WatchCommand.self, CheckCommand.self, WaitCommand.self, FetchCommand.self,
            ValidateCommand.self, InitCommand.self, HooksCommand.self, DoctorCommand.self, ManualCommand.self,
        ],
        defaultSubcommand: DashboardCommand.self
    )

    /// The names of the subcommands.
    static let subcommands = configuration.subcommands.compactMap { $0.configuration.commandName }

    /// Prints help and the like, which the parser would do without a look at whether it can be written.
    private static func printed(_ text: String) -> ExitCode {
        do throws(ExitCode) {
            try StandardStreams.print(text)
            return ExitCode.success
        } catch {
            return error
        }
    }

    static func main() async {
        // Before anything has changed it.
        _ = Inheritance.atStart
        Allocator.useOneArena()
        StandardStreams.reserve()
        var words: [String] = []
        do {
            try ResourceCheck.checkArguments()
            words = Array(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot(WaitCommand.words(words))
            if var command = command as? any AsyncParsableCommand {
                try ResourceCheck.check()
                try await command.run()
            } else {
                try command.run()
            }
        } catch let status as ExitCode {
            exit(withError: status)
        } catch let problems as TargetProblems {
            problems.lines.forEach(StandardStreams.complain)
            exit(withError: ExitCode(2))
        } catch {
            // The parser's own errors: help and version are none; anything else is usage, status 2 as shells have it.
            let isUsage = exitCode(for: error) != .success
            guard isUsage else { exit(withError: printed(fullMessage(for: error))) }
            StandardStreams.complain(message(for: error))
            let name = words.first.flatMap { subcommands.contains($0) ? "\($0) " : nil } ?? ""
            StandardStreams.complain("see reach \(name)--help")
            exit(withError: ExitCode(2))
        }
    }
}
