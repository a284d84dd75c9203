import ArgumentParser
import Foundation
import Hooks
import Monitoring
import Reporting

/// `reach check`: probes each target, prints a table and exits.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Probe each target, print a table and exit.",
        usage: """
            reach check                         all targets of dashboard.toml
            reach check nas.local:445 [::1]:22  targets of the command line
            reach check @NAS @group:Home        selected targets of dashboard.toml
            reach check --count 5 192.0.2.1     up if one of five probes has a reply
            reach check --json | jq .down       number of targets that are down
            """,
        discussion: """
            A target is up when one of its probes has a reply, down when all are lost, and degraded when all are slow. \
            The probes of a target are retry_interval apart. Hooks do not run, and depends_on blocks no target.
            Exit status: 0 all targets are up or degraded, 1 a target is not, 2 usage or settings error.
            """
    )

    @OptionGroup var options: SharedOptions

    @Option(help: ArgumentHelp("Number of probes for each target, 1 to 1000.", valueName: "count"))
    var count = 1

    @Option(
        help: ArgumentHelp(
            "With --count: double the time between two probes of a target after each loss, up to this time.",
            valueName: "time"
        ),
        transform: WaitCommand.time
    )
    var backoff: Duration?

    @Flag(help: "One JSON object instead of the table.")
    var json = false

    @Flag(name: .shortAndLong, help: "No table and no messages about targets, only the exit status.")
    var quiet = false

    @Flag(help: "No colours, as with NO_COLOR=1.")
    var noColor = false

    func validate() throws {
        guard (1...1_000).contains(count) else { throw ValidationError("--count \(count): must be between 1 and 1000") }
        guard backoff == nil || count > 1 else { throw ValidationError("--backoff: only allowed with --count above 1") }
    }

    func run() async throws {
        let redaction = SharedRedaction()
        // Before signals are trapped: opening a FIFO blocks until it has a reader, and any signal must end that.
        let log = try options.logging.loggers(time: ProgramTime(), redaction: redaction)
        let source = try options.source()
        let signals = await Signals()
        let environment = ProcessInfo.processInfo.environment
        let settings = try source.settings()
        redaction.update(settings)
        if settings.targets.contains(where: \.isCommand) { await HookCommand.prepare() }
        let monitor = TimedMonitor(isQuiet: quiet, redaction: redaction, log: log)
        let lines = LiveLines(isQuiet: quiet, environment: environment)
        var check = Check(monitor, lines: lines, backoff: backoff)
        let signal = await InputSource.run(monitor.sources(signals)) {
            await check.run(settings.targets, count: count, $0)
        }
        if let signal { throw ExitCode(128 + signal) }
        if !quiet { try printResults(check.states, environment) }
        throw ExitCode(check.states.allSatisfy(\.health.isReachable) ? 0 : 1)
    }

    private func printResults(_ states: [TargetState], _ environment: [String: String]) throws {
        let capabilities = TerminalCapabilities(ascii: false, noColor: noColor, environment: environment)
        let color = StandardStreams.isTerminal ? capabilities.color : nil
        let lines =
            json ? [TargetsRecord(states).json] : CheckTable(states, count: count, color: color).lines
        try StandardStreams.print(lines.joined(separator: "\n"), isData: json)
    }
}
