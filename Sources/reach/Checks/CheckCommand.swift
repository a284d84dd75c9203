import ArgumentParser
import Foundation
import ReachHooks
import ReachMonitoring
import ReachReporting
import ReachScreen
import ReachTerminal

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
            reach check --format nagios @NAS    a plugin for Nagios and Icinga
            """,
        discussion: """
            A target is up when one of its probes has a reply, down when all are lost, and degraded when all replies are slow. \
            The probes of a target are retry_interval apart. Hooks do not run, and depends_on blocks no target. \
            The lists of sources are read once, before the first probe.
            Exit status: 0 all targets are up or degraded, 1 a target is down, 2 usage or settings error, or a list of a source \
            cannot be used (the other targets are probed), 3 a target cannot be probed and none is down. With --format nagios: 0 OK, 1 WARNING (degraded), 2 CRITICAL (down), 3 UNKNOWN (cannot \
            be probed; usage or settings error).
            """
    )

    @OptionGroup var options: SharedOptions

    @OptionGroup(title: "Probes") var probeOptions: ProbeOptions

    @OptionGroup var logging: LogOptions

    @OptionGroup var share: ShardOption

    @Option(help: ArgumentHelp("Number of probes for each target, 1 to 1000.", valueName: "count"))
    var count = 1

    @Option(
        help: ArgumentHelp(
            "With --count: double the time between two probes of a target after each loss, up to this time.",
            valueName: "time"
        ),
        transform: Duration.argument
    )
    var backoff: Duration?

    @Flag(help: "One JSON object instead of the table, as with --format json.")
    var json = false

    /// The format of the result.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, json, nagios
    }

    @Option(
        help: ArgumentHelp(
            "Format of the result; nagios is a line with performance data. (default: table)",
            valueName: "format"
        )
    )
    var format: Format?

    /// The selected format.
    private var resultFormat: Format { format ?? (json ? .json : .table) }

    @Flag(name: .shortAndLong, help: "No table and no messages about targets, only the exit status.")
    var quiet = false

    @Flag(help: "No colours, as with NO_COLOR=1.")
    var noColor = false

    func validate() throws {
        guard (1...1_000).contains(count) else { throw ValidationError("--count \(count): must be between 1 and 1000") }
        guard !json || format == nil || format == .json else {
            throw ValidationError("--json and --format \(format?.rawValue ?? "") cannot be combined")
        }
        guard backoff == nil || count > 1 else { throw ValidationError("--backoff: only allowed with --count above 1") }
    }

    func run() async throws {
        let redaction = SharedRedaction()
        // Before signals are trapped: opening a FIFO blocks until it has a reader, and any signal must end that.
        let log = try logging.loggers(time: ProgramTime(), redaction: redaction)
        // The dependencies block no target here, so no parents are needed.
        let source = try options.source(
            probes: probeOptions,
            overrides: .init(shard: share.shard, needsParents: false)
        )
        let signals = await Signals(withOthers: resultFormat == .nagios)
        let environment = ProcessInfo.processInfo.environment
        let fetcher = SourceFetcher(redaction: redaction, logger: log("sources"))
        let lists: ListedSettings
        do {
            lists = try ListedSettings(of: source, unread: await source.fetchLists(by: fetcher), redaction)
        } catch let status as ExitCode {
            throw try self.status(ofSignal: status.rawValue - 128)
        }
        let settings = lists.settings
        guard lists.problems.isEmpty || !settings.targets.isEmpty else {
            throw StartupError(lines: lists.problems + lists.notes)
        }
        // A plugin has one line of output, with the problems in it.
        for line in (resultFormat == .nagios ? [] : lists.problems) + (quiet ? [] : lists.notes) {
            StandardStreams.printMessage(line.printable, priority: .warning)
        }
        if settings.targets.contains(where: \.isCommand) { await HookCommand.prepare() }
        // The line of a plugin has the reasons.
        let monitor = TimedMonitor(isQuiet: quiet || resultFormat == .nagios, redaction: redaction, log: log)
        let lines = ProgressLines(isQuiet: quiet, environment: environment)
        var check = Check(monitor, lines: lines, backoff: backoff)
        let signal = await InputSource.run(monitor.sources(signals)) {
            await check.run(settings.targets, count: count, $0)
        }
        if let signal { throw try status(ofSignal: signal) }
        if resultFormat == .nagios, check.states.isEmpty {
            let text = "no targets" + (share.shard.map { " in shard \($0)" } ?? "")
            throw try Self.report(PluginResult(problem: text), isQuiet: quiet)
        }
        if resultFormat == .nagios {
            // Other users see the output of plugins.
            let result = PluginResult(check.states, problems: lists.problems, redaction: redaction.current)
            throw try Self.report(result, isQuiet: quiet)
        }
        if !quiet { try printResults(of: check, redaction.forScreen, environment) }
        throw lists.problems.isEmpty ? Self.status(of: check.states) : ExitCode(2)
    }

    /// The exit status after a signal. A plugin reports it.
    private func status(ofSignal signal: Int32) throws(ExitCode) -> ExitCode {
        guard resultFormat == .nagios else { return ExitCode(128 + signal) }
        return try Self.report(PluginResult(problem: "ended by signal \(signal)"), isQuiet: quiet)
    }

    /// The exit status of a check: a target that is down comes before one that cannot be probed.
    private static func status(of states: [TargetState]) -> ExitCode {
        if states.contains(where: { $0.health == .down }) { return ExitCode(1) }
        return states.allSatisfy(\.health.isReachable) ? .success : .notProbed
    }

    // MARK: Output

    /// Whether a command line selects the format of plugins, valid or not. Its errors are results then.
    static func isPlugin(_ arguments: [String]) -> Bool {
        // The options may be before the command by mistake.
        guard let first = arguments.first, let name = configuration.commandName,
            first == name || first.hasPrefix("-") && arguments.contains(name)
        else { return false }
        let format = Format.nagios.rawValue
        return arguments.contains("--format=\(format)")
            || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && $1 == format }
    }

    /// Prints the result of a plugin.
    ///
    /// - Returns: The exit status.
    /// - Throws: The status of an unknown result if it cannot be written.
    static func report(_ result: PluginResult, isQuiet: Bool = false) throws(ExitCode) -> ExitCode {
        guard !isQuiet else { return ExitCode(result.status.rawValue) }
        do throws(ExitCode) {
            // In the encoding of the locale, like the table.
            try StandardStreams.print(result.line)
        } catch {
            throw ExitCode(PluginResult.Status.unknown.rawValue)
        }
        return ExitCode(result.status.rawValue)
    }

    private func printResults(
        of check: Check,
        _ redaction: Redaction,
        _ environment: [String: String]
    ) throws {
        let capabilities = TerminalCapabilities(ascii: false, noColor: noColor, environment: environment)
        let color = StandardStreams.isTerminal ? capabilities.color : nil
        let isJSON = resultFormat == .json
        let lines =
            isJSON
            ? [TargetsRecord(check.states, wall: check.wall, redaction: redaction).json]
            : CheckTable(check.states, count: count, color: color, redaction: redaction).lines
        try StandardStreams.print(lines.joined(separator: "\n"), isData: isJSON)
    }
}

extension ExitCode {
    /// A target cannot be probed, so its health is unknown.
    static let notProbed = ExitCode(3)
}

/// The result of a check as a table, for people and for tools that process lines.
struct CheckTable {
    /// The lines, the header first, and last the number of targets by health.
    let lines: [String]

    /// Creates a table of targets.
    ///
    /// - Parameters:
    ///   - count: The number of probes of each target; above one, there is a column for the loss.
    ///   - color: The colour support of the terminal; nil if standard output is not a terminal.
    ///   - redaction: Removes secrets.
    init(
        _ states: some Collection<TargetState>,
        count: Int,
        color: ColorSupport?,
        redaction: Redaction = .none
    ) {
        let hasLoss = count > 1
        var table = [["TARGET", "URL", "HEALTH", "TIME"] + (hasLoss ? ["LOSS"] : []) + [""]]
        table += states.map { state in
            let cells = [
                state.target.label, state.target.question.url, state.health.rawValue,
                state.statistics.mean?.roundTripText ?? "-",
            ]
            let loss = hasLoss ? [state.totals.loss?.percentText ?? "-"] : []
            return (cells + loss + [state.resultRemark.map(redaction.text) ?? ""]).map(\.printable)
        }
        let last = table[0].count - 1
        let widths = (0..<last).map { column in table.map { $0[column].displayWidth }.max() ?? 0 }
        let styles: [Style] = [.plain] + states.map { Self.style(of: $0.health) }
        let rows = zip(table, styles).map { row, style in
            let cells = (0..<last).map { column in
                // Numeric columns are aligned to the right.
                let cell = row[column].padded(
                    toColumns: min(widths[column], column == 1 ? Self.maxURLWidth : Self.maxWidth),
                    column > 2 ? .trailing : .leading
                )
                return column == 2 ? color.map { cell.styled(style, $0) } ?? cell : cell
            }
            let end = row[last].isEmpty ? "" : "  \(row[last].truncated(toColumns: Self.maxRemarkWidth))"
            return cells.joined(separator: "  ") + end
        }
        lines = rows + [Self.summary(of: states, color)]
    }

    /// The number of targets by health, in the words of the dashboard's header: `3 targets: 2 up, 1 down`.
    private static func summary(of states: some Collection<TargetState>, _ color: ColorSupport?) -> String {
        let counts = states.reduce(into: HealthCounts()) { $0.add($1.targetSummary) }
        let healths: [(health: Health, name: String, count: Int)] = [
            (.up, "up", counts.up), (.degraded, counts.degradedName, counts.degraded), (.down, "down", counts.down),
            (.unknown, "unknown", counts.unknown),
        ]
        let words = healths.filter { $0.count > 0 }.map { health, name, count in
            let words = "\(count) \(name)"
            return color.map { words.styled(style(of: health), $0) } ?? words
        }
        return "\(counts.total) \(counts.total == 1 ? "target" : "targets"): \(words.joined(separator: ", "))"
    }

    /// The maximum width of a column. A longer name or URL shifts the rest of its own line only.
    private static let maxWidth = 36
    /// The same for the column of URLs.
    private static let maxURLWidth = 80
    /// The maximum width of the text at the end. The other formats do not truncate it.
    private static let maxRemarkWidth = 80

    private static func style(of health: Health) -> Style {
        switch health {
        case .unknown: .plain
        case .up: Style(.green)
        case .degraded: Style(.yellow)
        case .down: Style(.red, .bold)
        }
    }
}
