import ArgumentParser

/// The program: what answers, what does not, and a command of yours the moment something answers again.
@main
struct Reach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reach",
        abstract: "Shows what answers and what does not, and runs your command the moment something answers again.",
        usage: """
            reach                                    the dashboard of dashboard.toml
            reach 192.0.2.1 nas.local:445 [::1]:22   the dashboard of these
            reach watch                              the same without a screen, hooks included
            reach fetch https://example.com/a -o a   a URL, asked until it answers, into a file that is whole or not there
            reach validate                           every problem of dashboard.toml, or "ok"
            reach hooks --test NAS                   the hooks of a target, run by hand
            reach doctor                             what this machine lets it do, and what mends the rest
            """,
        version: "reach 0.1.0",
        subcommands: [
            DashboardCommand.self, WatchCommand.self, FetchCommand.self, ValidateCommand.self, HooksCommand.self,
            DoctorCommand.self,
        ],
        defaultSubcommand: DashboardCommand.self
    )

    static func main() async {
        StandardStreams.reserve()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
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
            guard isUsage else { exit(withError: error) }
            StandardStreams.complain(message(for: error))
            StandardStreams.complain("see reach --help")
            exit(withError: ExitCode(2))
        }
    }
}
