import ArgumentParser
import Foundation
import Hooks
import Monitoring
import Probing
import UnixSignals

/// `reach watch`: the same engine without a screen. A line for each transition; hooks run.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print a line for each change of health, without a screen; hooks run.",
        usage: """
            reach watch                      the targets of dashboard.toml
            reach watch @NAS 192.0.2.1       these
            reach watch --json | jq .target  every event as an object
            reach watch --observations       every probe besides
            reach watch --listen 9720        and figures for Prometheus
            """,
        discussion: """
            Each line says in words what happened, to whom and why, without colours or a moving cursor: this is reach for \
            screen readers and braille displays, and for logs. Data goes to standard output, messages to standard error. \
            SIGHUP reads the settings file again. The watch goes on while nobody reads fast enough: what there is no room for is \
            dropped, observations first, and counted on standard error. With --listen, /metrics is for Prometheus, as text or as OpenMetrics, \
            /targets the JSON object of check --json, and /healthz says ok.
            Exit status: 1 standard output cannot be written; 2 usage or settings; 128+n ended by signal n, 141 (SIGPIPE) when \
            nobody reads standard output any more.
            """
    )

    @Flag(help: "Write every event as a JSON object on a line of its own.")
    var json = false

    @Flag(help: "Write a line for each probe as well.")
    var observations = false

    @Flag(name: .shortAndLong, help: "No messages about hooks, faults and the like; what changes is still told.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Answer HTTP there: 9720, 127.0.0.1:9720, [::1]:9720. Without an address only this machine is heard.",
            valueName: "[address:]port"
        ),
        transform: ListenAddress.init
    )
    var listen: ListenAddress?

    @OptionGroup var options: SharedOptions

    func run() async throws {
        let time = ProgramTime()
        let redaction = SharedRedaction()
        let errors = Outlet(STDERR_FILENO)
        // First of all: a pipe without a reader is waited for, and any signal is to end that.
        let log = try options.logging.loggers(time: time, redaction: redaction) { errors.put($0) }
        let signals = await Signals()
        let supervisor = Supervisor(environment: ProcessInfo.processInfo.environment, process: getpid())
        Supervisor.hideFromChildren()
        let source = try options.source()
        let settings = try source.settings()
        // Before the first probe: where it cannot listen, nothing has happened yet.
        let scrapes = ScrapeQueue()
        let router = HTTPRouter(scrapes: scrapes)
        let listener: HTTPListener? = if let listen { try await HTTPListener(at: listen, router: router) } else { nil }
        let engine = Engine(time: time, redaction: redaction, log: log)

        let teller = WatchTeller(
            time: time,
            format: json ? .json : .text,
            hasObservations: observations,
            isQuiet: quiet,
            redaction: redaction,
            output: Outlet(STDOUT_FILENO),
            errors: errors
        )
        teller.output.watchReader()
        var watch = Watch(
            engine: engine,
            source: source,
            teller: teller,
            scrapes: listen == nil ? nil : scrapes,
            supervisor: supervisor
        )
        await watch.take(settings)
        listener?.announce()
        async let _: Void? = listener?.run()
        let sources: [InputSource<Watch.Input>] = [
            InputSource(engine.prober.findings) { .findings($0) },
            InputSource(engine.hooks.reports, last: { .reportsEnded }) { .report($0) },
            InputSource(watch.deadlines) { .deadline },
            InputSource(signals.sequence) { .signal($0) },
            InputSource(scrapes.arrivals) { .scrape },
            InputSource(Supervisor.ticks(of: supervisor)) { .tick },
            InputSource(teller.output.endings) { .outputEnded($0) },
        ]
        let status = await InputSource.run(sources) { await watch.run($0) }
        await engine.shutdown()
        await teller.finish()
        throw ExitCode(status)
    }
}
