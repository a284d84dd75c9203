import ArgumentParser
import CReachCommit
import ReachMonitoring
import ReachReporting
import ReachSettings

/// The `reach` program: parses the command line and runs a subcommand.
@main
struct Reach: AsyncParsableCommand {
    static let version = ReachVersion.current

    /// The commit that the program was built from and its date, `80eb996 2026-11-22`; nil unless `make` built it from git.
    static let commit: String? = {
        let text = String(cString: reach_commit())
        return text.isEmpty ? nil : text
    }()

    static let configuration = CommandConfiguration(
        commandName: "reach",
        abstract: "Show what answers on your network, and run a command when something answers again.",
        usage: """
            reach                          dashboard of the targets in dashboard.toml
            reach 192.0.2.1 nas.local:445  dashboard of these targets
            reach watch                    print changes without a screen; hooks run
            reach check                    probe each target once; status 1: one is not up
            reach wait db:5432 -- ./serve  wait for a reply, then run ./serve
            reach fetch https://example.com/a -o a  download with retries
            reach path example.com         the routers on the way, and where it ends
            reach fleet http://prometheus:9090  targets of a Prometheus, by vantage point
            reach report                   availability and outages of the last 30 days
            reach incident --at 12:25      a file with the screen of then, for reach open
            reach init                     write a commented dashboard.toml
            reach validate                 print each problem of the settings, or "ok"
            reach hooks --test NAS         run the hooks of a target now
            reach doctor                   check ICMP rights, routes, DNS and the terminal
            """,
        version: "reach \(version)" + (commit.map { " (\($0))" } ?? ""),
        subcommands: [
            DashboardCommand.self, WatchCommand.self, FleetCommand.self, CheckCommand.self, WaitCommand.self,
            FetchCommand.self, PathCommand.self, ReportCommand.self, ShiftsCommand.self, HistoryCommand.self,
            IncidentCommand.self, OpenCommand.self, DiffCommand.self,
            ValidateCommand.self, InitCommand.self, HooksCommand.self, DoctorCommand.self, ManualCommand.self,
            SchemaCommand.self,
        ],
        defaultSubcommand: DashboardCommand.self
    )

    /// The names of the subcommands.
    static let subcommands = configuration.subcommands.compactMap { $0.configuration.commandName }

    /// Prints help or the version. The parser itself would ignore write errors.
    ///
    /// - Returns: The exit status.
    private static func printHelp(_ text: String) -> ExitCode {
        do throws(ExitCode) {
            try StandardStreams.print(text)
            return ExitCode.success
        } catch {
            return error
        }
    }

    /// The text for a request of help or the version. The help of the program lists the options of the dashboard, which
    /// is its default subcommand.
    static func help(for error: any Error, _ arguments: [String]) -> String {
        let text = fullMessage(for: error)
        guard ["-h", "--help", "help"].contains(arguments.first), arguments.count == 1,
            let options = text.firstRange(of: "OPTIONS:"), let commands = text.firstRange(of: "SUBCOMMANDS:")
        else { return text }
        let dashboard = helpMessage(for: DashboardCommand.self, columns: nil)
        guard let start = dashboard.firstRange(of: "ARGUMENTS:") else { return text }
        let (before, rest) = (text[..<options.lowerBound], text[commands.lowerBound...])
        let page = "\(before)\(dashboard[start.lowerBound...])\n\(rest)"
        // The parser knows only the long name.
        return page.replacing("\n  --version    ", with: "\n  -V, --version")
    }

    /// Returns the problem with `help` for a command that does not exist, and with `version` as a command; nil for other
    /// arguments. The parser itself would print the help of the program, and probe a host named version.
    static func unknownCommand(in arguments: [String]) -> String? {
        if arguments == ["version"] {
            return
                "unknown command \"version\" – did you mean --version? For a host of this name, use icmp://version"
        }
        guard arguments.first == "help", arguments.count > 1 else { return nil }
        let name = arguments[1]
        guard name != "help", !name.hasPrefix("-"), !subcommands.contains(name) else { return nil }
        let fix = name.nearest(of: subcommands).map { "did you mean \"\($0)\"?" } ?? "see reach --help"
        return "unknown command \"\(name.printable)\" – \(fix)"
    }

    /// Ends the program with an unknown result of a plugin.
    private static func reportUnknown(_ problem: String) -> Never {
        do throws(ExitCode) {
            exit(withError: try CheckCommand.report(PluginResult(problem: problem)))
        } catch {
            exit(withError: error)
        }
    }

    static func main() async {
        // First: the state is read before the program changes it.
        _ = InitialProcessState.atStart
        Allocator.useOneArena()
        StandardStreams.reserve()
        var arguments: [String] = []
        do {
            try ResourceCheck.checkArguments()
            arguments = commandFirst(Array(CommandLine.arguments.dropFirst()))
            // As in other tools; the parser has only the long name.
            if arguments == ["-V"] { arguments = ["--version"] }
            let problem =
                unknownCommand(in: arguments) ?? WaitCommand.missingDashes(in: arguments)
                ?? misplacedOptions(in: arguments)
            if let problem { throw StartupError(problem) }
            var command = try parseAsRoot(WaitCommand.normalized(arguments))
            if var command = command as? any AsyncParsableCommand {
                try ResourceCheck.check()
                do {
                    try await command.run()
                } catch {
                    await LogOptions.flush()
                    throw error
                }
                await LogOptions.flush()
            } else {
                try command.run()
            }
        } catch let status as ExitCode {
            exit(withError: status)
        } catch let error as StartupError {
            if CheckCommand.isPlugin(arguments) { reportUnknown(error.lines.joined(separator: "; ")) }
            for line in error.lines { StandardStreams.printMessage(line.printableLines, priority: .error) }
            exit(withError: ExitCode(2))
        } catch {
            // Errors of the parser. Help and version end with success; anything else is a usage error, status 2 as in shells.
            let isUsage = exitCode(for: error) != .success
            guard isUsage else {
                let status = printHelp(help(for: error, arguments))
                // The guidelines for plugins: help is no result.
                let unknown = ExitCode(PluginResult.Status.unknown.rawValue)
                exit(withError: CheckCommand.isPlugin(arguments) ? unknown : status)
            }
            if CheckCommand.isPlugin(arguments) { reportUnknown(message(for: error)) }
            StandardStreams.printMessage(message(for: error).printableLines, priority: .error)
            let name = arguments.first.flatMap { subcommands.contains($0) ? "\($0) " : nil } ?? ""
            StandardStreams.printMessage("see reach \(name)--help", priority: .error)
            exit(withError: ExitCode(2))
        }
    }
}

extension Reach {
    /// Returns a command line with the command before its options: `-c FILE check` becomes `check -c FILE`. The words before
    /// the command must be options of the dashboard, so that the values of its options are known.
    static func commandFirst(_ arguments: [String]) -> [String] {
        let index = misplacedCommands(in: arguments).first { index in
            let dashboard = try? DashboardCommand.parse(Array(arguments[..<index]))
            return dashboard?.options.targets.isEmpty ?? false
        }
        return index.map { moved(arguments, $0) } ?? arguments
    }

    /// Returns the problem with options that only the command after them has; nil for another command line.
    static func misplacedOptions(in arguments: [String]) -> String? {
        let commands = misplacedCommands(in: arguments).map { moved(arguments, $0) }
        guard !commands.isEmpty, (try? parseAsRoot(arguments)) == nil else { return nil }
        let valid = commands.first { (try? parseAsRoot(WaitCommand.normalized($0))) != nil }
        guard let valid else { return nil }
        let fixed = (["reach"] + valid.map(\.shellWord)).joined(separator: " ")
        return "the options of \"\(valid[0])\" are before it – did you mean \"\(fixed)\"?".printable
    }

    /// The indices of the words after an option that are names of commands.
    private static func misplacedCommands(in arguments: [String]) -> [Int] {
        guard arguments.first?.hasPrefix("-") ?? false else { return [] }
        return arguments.prefix { $0 != "--" }.indices.filter { subcommands.contains(arguments[$0]) }
    }

    private static func moved(_ arguments: [String], _ index: Int) -> [String] {
        [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
    }
}

/// An error that prevents a command from starting, one line per problem. The exit status is 2.
struct StartupError: Error, Hashable, CustomStringConvertible {
    let lines: [String]

    init(lines: [String]) {
        self.lines = lines
    }

    init(_ line: String) {
        self.init(lines: [line])
    }

    var description: String { lines.joined(separator: "\n") }
}
