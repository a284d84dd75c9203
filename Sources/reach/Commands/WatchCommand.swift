import ArgumentParser
import AsyncAlgorithms
import Hooks
import Monitoring
import Probing
import UnixSignals

/// `reach watch`: the same engine without a screen. A line for each transition; hooks run.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print a line for each change of health, without a screen; hooks run.",
        discussion: """
            Each line says in words what happened, to whom and why, without colours or a moving cursor: this is reach for \
            screen readers and braille displays, and for logs. Data goes to standard output, messages to standard error. \
            SIGHUP reads the settings file again.
            """
    )

    @Flag(help: "Write every event as a JSON object on a line of its own.")
    var json = false

    @OptionGroup var options: SharedOptions

    func run() async throws {
        let signals = await Signals()
        let time = ProgramTime()
        let source = try options.source()
        let settings = try source.settings()
        let engine = Engine(time: time, log: try options.loggers(time: time))

        var watch = Watch(engine: engine, source: source, format: json ? .json : .text)
        await watch.take(settings)
        let inputs = merge(
            engine.prober.findings.map(Watch.Input.findings),
            engine.hooks.reports.map(Watch.Input.report),
            signals.sequence.map(Watch.Input.signal)
        )
        let status = await watch.run(inputs)
        await engine.shutdown()
        throw ExitCode(status)
    }
}
