import ArgumentParser
import Foundation
import Hooks
import Monitoring
import Reporting

/// `reach check`: asks each target, prints a table, and ends.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask each target, print a table, and end.",
        usage: """
            reach check                         the targets of dashboard.toml
            reach check nas.local:445 [::1]:22  these
            reach check @NAS @group:Home        these of dashboard.toml
            reach check --count 5 192.0.2.1     one reply of five is enough
            reach check --json | jq .down       how many are down
            """,
        discussion: """
            Of all its probes, one reply is enough for a target to be up; it is down when all are lost, and degraded \
            when all are slow. They are retry_interval apart. depends_on holds no target back, and no hooks run.
            Exit status: 0 all are up, degraded ones among them; 1 one is not; 2 usage or settings.
            """
    )

    @OptionGroup var options: SharedOptions

    @Option(help: ArgumentHelp("How often each target is asked.", valueName: "count"))
    var count = 1

    @Flag(help: "Write one JSON object in place of the table.")
    var json = false

    @Flag(name: .shortAndLong, help: "Write nothing but what is wrong with the command line; the exit status tells.")
    var quiet = false

    @Flag(help: "Write without colours, as NO_COLOR=1 asks for.")
    var noColor = false

    func validate() throws {
        guard (1...1_000).contains(count) else { throw ValidationError("--count is 1 to 1000") }
    }

    func run() async throws {
        let redaction = SharedRedaction()
        // First of all: a pipe without a reader is waited for, and any signal is to end that.
        let log = try options.logging.loggers(time: ProgramTime(), redaction: redaction)
        let signals = await Signals()
        let environment = ProcessInfo.processInfo.environment
        let settings = try options.source().settings()
        redaction.update(settings)
        if settings.targets.contains(where: \.isCommand) { await HookCommand.prepare() }
        let asking = Asking(isQuiet: quiet, redaction: redaction, log: log)
        var check = Check(asking, lines: LiveLines(isQuiet: quiet, environment: environment))
        let signal = await InputSource.run(asking.sources(signals)) {
            await check.run(settings.targets, count: count, $0)
        }
        if let signal { throw ExitCode(128 + signal) }
        if !quiet { try tell(check.standings, environment) }
        throw ExitCode(check.standings.allSatisfy(\.health.isReachable) ? 0 : 1)
    }

    private func tell(_ standings: [Standing], _ environment: [String: String]) throws {
        let appearance = Appearance(ascii: false, noColor: noColor, environment: environment)
        let color = StandardStreams.isTerminal ? appearance.color : nil
        let lines =
            json ? [TargetsRecord(standings).json] : CheckTable(standings, count: count, color: color).lines
        try StandardStreams.print(lines.joined(separator: "\n"))
    }
}
