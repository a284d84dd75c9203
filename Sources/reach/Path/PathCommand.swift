import ArgumentParser
import AsyncAlgorithms
import Foundation
import ReachMonitoring
import ReachProbing
import ReachReporting
import ReachScreen
import ReachSettings
import ReachSystem

/// `reach path`: shows the routers on the way to each target, and where the way ends.
struct PathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Show the routers on the way to each target, and where the way ends.",
        usage: """
            reach path 192.0.2.1              by ICMP, until Ctrl-C
            reach path nas.local:445          by the first packets of connections to port 445
            reach path --method udp example.com  by datagrams to port 33434
            reach path --report example.com   ten rounds, then a table
            reach path --json @NAS | jq .paths[0].end  where the path to a target of the settings ends
            reach path --flows 8 example.com  eight flows: where routers divide them, and which of them lose
            """,
        discussion: """
            Each hop is probed at once, and then once a second. The probes are those of the target's method: echo requests for \
            icmp, the first packet of a connection for tcp, tls, http and databases, datagrams for udp and dns. No privilege is needed \
            for udp and tcp; for icmp, see "reach doctor". A hop is lossy only if its loss goes on to the target: routers answer fewer \
            probes than they forward packets.
            Without a terminal, the same as --report.
            Exit status: 0 all targets are reached, 1 a path ends before its target, 2 usage or settings error, 3 a target \
            cannot be probed.
            """
    )

    @OptionGroup var options: SharedOptions

    @OptionGroup var logging: LogOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of rounds, 1 to 100000. (default: until Ctrl-C; 10 for a report)",
            valueName: "count"
        ),
        transform: { try number($0, in: 1...100_000) }
    )
    var cycles: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of flows, 1 to 16, which are probed in turn.", valueName: "count"),
        transform: { try number($0, in: 1...16) }
    )
    var flows = 1

    @Option(
        help: ArgumentHelp("Method instead of that of the target: icmp, udp or tcp.", valueName: "method"),
        completion: .list(PathMethod.allCases.map(\.rawValue)),
        transform: Self.method
    )
    var method: PathMethod?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of the last hop that is probed, 1 to 255.", valueName: "count"),
        transform: { try number($0, in: 1...255) }
    )
    var maxHops = 30

    @Flag(name: .shortAndLong, help: "No names of routers.")
    var numeric = false

    @Option(
        help: ArgumentHelp(
            "File with the autonomous systems of addresses: ip2asn-combined.tsv of iptoasn.com.",
            valueName: "file"
        ),
        completion: .file(extensions: ["tsv"])
    )
    var asn: String?

    @Flag(help: "A table at the end, and nothing before.")
    var report = false

    @Flag(help: "One JSON object at the end, and nothing before.")
    var json = false

    @Flag(help: "No colours, as with NO_COLOR=1.")
    var noColor = false

    func validate() throws {
        guard !options.targets.isEmpty else {
            throw ValidationError("no target – name a host, or @NAME of the settings: reach path 192.0.2.1")
        }
        if let command = options.targets.first(where: { $0.lowercased().hasPrefix("exec:") }) {
            throw ValidationError("\(command): no host with a path – name one: reach path 192.0.2.1".printable)
        }
        guard !json || !report else { throw ValidationError("--json and --report cannot be combined") }
    }

    func run() async throws {
        let redaction = SharedRedaction()
        // Before signals are trapped: opening a FIFO for the log blocks until it has a reader, and any signal must end that.
        let log = try logging.loggers(time: ProgramTime(), redaction: redaction)
        let systems = try asn.map(Self.systems)
        let source = try options.source(overrides: .init(needsParents: false))
        let signals = await Signals()
        let fetcher = SourceFetcher(redaction: redaction, logger: log("sources"))
        let lists = try ListedSettings(of: source, unread: await source.fetchLists(by: fetcher), redaction)
        guard lists.problems.isEmpty else { throw StartupError(lines: lists.problems + lists.notes) }
        let targets = try lists.settings.targets.map { target in
            try PathTarget(target, label: redaction.forScreen.label(of: target), method: method)
        }
        DescriptorLimit.raise()
        let environment = ProcessInfo.processInfo.environment
        let capabilities = TerminalCapabilities(ascii: false, noColor: noColor, environment: environment)
        var live = ErasableLines(isShown: !json && !report, environment: environment)
        var tracer = PathTracer(
            targets,
            rounds: cycles ?? (live.isShown ? nil : Self.defaultRounds),
            isLive: live.isShown,
            flows: flows,
            maxHops: maxHops,
            names: numeric ? nil : HostNames(),
            systems: systems ?? lists.settings.paths.systems
        )
        let color = StandardStreams.isTerminal ? capabilities.color : nil
        let signal = await tracer.run(signals) { paths in
            let ellipsis = live.ellipsis
            live.show { size in
                let lines = paths.map { PathLines($0, hasNames: !numeric) }.flatMap {
                    $0.rendered(color: color, columns: max(0, size.columns - 1), ellipsis: ellipsis)
                }
                return Array(lines.prefix(max(1, size.rows - 1)))
            }
        }
        live.erase()
        let paths = await tracer.finish()
        if json {
            try StandardStreams.print(PathsRecord(paths).json, isData: true)
        } else {
            let tables = paths.map { PathLines($0, hasNames: !numeric).rendered(color: color).joined(separator: "\n") }
            try StandardStreams.print(tables.joined(separator: "\n\n"))
        }
        // Ctrl-C is the usual end of a live table.
        if let signal, !(live.isShown && signal == SIGINT) { throw ExitCode(128 + signal) }
        throw status(of: paths)
    }

    private static let defaultRounds = 10

    private static func number(_ text: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ValidationError("must be between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    private static func method(_ text: String) throws -> PathMethod {
        guard let method = PathMethod(rawValue: text) else {
            throw ValidationError("must be icmp, udp or tcp")
        }
        return method
    }

    private func status(of paths: [PathReport]) -> ExitCode {
        if paths.contains(where: { $0.problem == nil && !$0.isReached }) { return ExitCode(1) }
        return paths.contains { $0.problem != nil } ? .notProbed : .success
    }

    /// Reads a file of autonomous systems. May block.
    static func systems(in file: String) throws(StartupError) -> AutonomousSystems {
        do throws(AutonomousSystemsError) {
            return try AutonomousSystems(file: file)
        } catch {
            throw StartupError((error.message + (error.hint.map { " – \($0)" } ?? "")).printable)
        }
    }
}
