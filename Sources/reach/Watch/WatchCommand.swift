import ArgumentParser
import Foundation
import ReachFleet
import ReachHistory
import ReachHooks
import ReachMonitoring
import ReachProbing
import ReachReporting
import ReachSettings
import UnixSignals

/// `reach watch`: runs the engine without a screen, prints a line for each transition and runs hooks.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print a line for each change of health, without a screen; hooks run.",
        usage: """
            reach watch                      all targets of dashboard.toml
            reach watch @NAS 192.0.2.1       these targets
            reach watch --json | jq .target  each event as a JSON object
            reach watch --observations       each probe as well
            reach watch --listen 9720        metrics for Prometheus as well
            reach watch --listen 9720 --metrics basic
            reach watch --shard 2/5          the second of five shares of the targets
            reach watch --listen 9115 --blackbox blackbox.yml
            """,
        discussion: """
            Each line names the target, the event and the reason, without colours or cursor movement: suitable for screen \
            readers, braille displays and logs. Data goes to standard output, messages to standard error. SIGHUP reloads \
            the settings file, and opens the file of --log again; settings without targets are read, and probe nothing \
            until they have some. The lists of sources are refreshed at their intervals and at a reload. A slow reader does \
            not block the program: lines that do not fit into the buffer are dropped, observations first, and counted on \
            standard error. With --listen, /metrics serves Prometheus, as \
            text or OpenMetrics, /targets the JSON object of check --json, and /healthz ok. With modules, in [module.NAME] or \
            --blackbox, /probe?target=TARGET&module=NAME probes any target at the request of a client, and POST /-/reload from \
            this machine reloads the settings as SIGHUP does.
            Exit status: 1 standard output cannot be written, 2 usage or settings error, 128+n ended by signal n, 141 \
            (SIGPIPE) when the reader of standard output has exited.
            """
    )

    @Flag(help: "Each event as a JSON object on a line of its own.")
    var json = false

    @Flag(help: "A line for each probe as well.")
    var observations = false

    @Flag(name: .shortAndLong, help: "No messages about hooks, faults and other events, only changes of health.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Address of the HTTP server: 9720, 127.0.0.1:9720 or [::1]:9720. (default address: 127.0.0.1)",
            valueName: "[address:]port"
        ),
        transform: ListenAddress.init
    )
    var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            """
            Series of each target in /metrics: histograms, summary (percentiles instead), basic (at most 8). (default: \
            histograms, basic above \(MetricsDetail.targetsWithHistograms) targets)
            """,
            valueName: "detail"
        ),
        completion: .list(MetricsDetail.allCases.map(\.rawValue)),
        transform: MetricsDetail.argument
    )
    var metrics: MetricsDetail?

    @Option(
        help: ArgumentHelp(
            "Modules of /probe, from a settings file of Prometheus's blackbox_exporter as well.",
            valueName: "file"
        ),
        completion: .file(extensions: ["yml", "yaml"])
    )
    var blackbox: String?

    @Flag(help: "Refuse the file of --blackbox if reach does not support one of its modules.")
    var strict = false

    @OptionGroup var options: SharedOptions

    @OptionGroup(title: "Probes") var probeOptions: ProbeOptions

    @OptionGroup var logging: LogOptions

    @OptionGroup var interval: IntervalOption

    @OptionGroup var share: ShardOption

    @OptionGroup var history: HistoryOption

    @OptionGroup var hookOptions: HookOptions

    func validate() throws {
        guard blackbox == nil || listen != nil else {
            throw ValidationError("--blackbox needs --listen – such as --listen 9115")
        }
        guard !strict || blackbox != nil else {
            throw ValidationError("--strict: only allowed with --blackbox – such as --blackbox blackbox.yml")
        }
        guard metrics == nil || listen != nil else {
            throw ValidationError("--metrics: only allowed with --listen – such as --listen 9720")
        }
    }

    func run() async throws {
        let time = ProgramTime()
        let redaction = SharedRedaction()
        let errors = LineWriter(STDERR_FILENO, encoding: StandardStreams.encoded)
        // Before signals are trapped: opening a FIFO blocks until it has a reader, and any signal must end that.
        let logFile = try logging.file()
        let log = try logging.loggers(to: logFile, time: time, redaction: redaction) { errors.enqueue($0) }
        let source = try options.source(
            probes: probeOptions,
            overrides: .init(interval: interval.interval, hasIntervals: true, shard: share.shard),
            mayLack: [.targets],
            blackbox: blackbox.map { BlackboxFile(path: $0, isStrict: strict) }
        )
        let signals = await Signals()
        let serviceManager = ServiceManager(environment: ProcessInfo.processInfo.environment, process: getpid())
        ServiceManager.hideFromChildren()
        let settings = try source.settings()
        // The listener starts before the first probe: if that fails, nothing has been done yet.
        let hasProbes = blackbox != nil || !settings.modules.isEmpty
        let connections = HTTPListener.connectionLimit
        let requests = HTTPRequestQueue(capacity: connections)
        let probes = ProbeEndpoint(
            limit: hasProbes ? HTTPListener.probeLimit : connections / 2,
            hasFile: blackbox != nil
        )
        var listener: HTTPListener?
        if let listen {
            listener = try await HTTPListener(
                at: listen,
                router: HTTPRouter(requests: requests, probes: probes),
                connectionLimit: connections + (hasProbes ? HTTPListener.probeLimit : 0)
            )
        }
        var engine = Engine(time: time, redaction: redaction, log: log)
        engine.history = history.writer(of: source, settings, time: time, readsSamples: false) {
            errors.enqueue("reach: \($0)")
        }
        engine.election = hookOptions.election(of: source)

        let reporter = WatchReporter(
            time: time,
            format: json ? .json : .text,
            hasObservations: observations,
            isQuiet: quiet,
            redaction: redaction,
            output: json ? LineWriter(STDOUT_FILENO) : LineWriter(STDOUT_FILENO, encoding: StandardStreams.encoded),
            errors: errors
        )
        reporter.output.watchReader()
        let controller = EngineController(engine: engine, source: source, logger: log("sources"))
        var watch = Watch(
            controller: controller,
            reporter: reporter,
            logFile: logFile,
            requests: listen == nil ? nil : requests,
            probes: probes,
            detail: metrics,
            serviceManager: serviceManager
        )
        await watch.start(settings)
        listener?.announce(hasProbes: hasProbes)
        async let _: Void? = listener?.run()
        let sources =
            watch.inputs + [
                InputSource(signals.sequence) { .signal($0) },
                InputSource(requests.arrivals) { .requests },
                InputSource(ServiceManager.ticks(of: serviceManager)) { .tick },
            ]
        let status = await InputSource.run(sources) { await watch.run($0) }
        await controller.stop()
        for loss in await engine.shutdown() { reporter.printMessage(loss, priority: .warning) }
        await reporter.finish()
        throw ExitCode(status)
    }
}
