import ArgumentParser
import Foundation
import ReachDashboard
import ReachKit
import ReachMonitoring
import ReachReporting
import ReachTerminal

/// The full-screen dashboard from its start to its exit status, for the commands that show it.
struct DashboardProgram {
    let screen: ScreenOptions
    let picture: PictureOptions
    let historyOption: HistoryOption
    let hookOptions: HookOptions
    let logging: LogOptions

    /// Runs until the user quits, and ends the program.
    ///
    /// - Parameter makeSource: makes the source of the targets, before signals are trapped.
    func run(_ makeSource: () throws(StartupError) -> TargetSource) async throws {
        guard picture.svg == nil || !hookOptions.hooks else {
            throw StartupError(lines: ["--hooks and --svg cannot be combined – no hooks run for a picture"])
        }
        let time = ProgramTime()
        let redaction = SharedRedaction()
        // Before signals are trapped: opening a FIFO blocks until it has a reader, and any signal must end that.
        let log = try logging.loggers(time: time, redaction: redaction, errors: nil)
        let source = try makeSource()
        // Signals are trapped while the settings are read, and before the terminal enters raw mode.
        async let trapping = Signals()
        // A picture needs the targets of all lists from the start.
        if picture.svg != nil {
            let fetcher = SourceFetcher(redaction: redaction, logger: log("sources"))
            let problems = try await source.fetchLists(by: fetcher)
            guard problems.isEmpty else { throw StartupError(lines: problems) }
        }
        let (settings, document) = try source.load()
        try validateTheme(settings)
        let capabilities = TerminalCapabilities(
            ascii: screen.ascii,
            noColor: screen.noColor,
            theme: screen.theme,
            environment: ProcessInfo.processInfo.environment
        )
        let history = PromptHistoryFile(environment: ProcessInfo.processInfo.environment)
        let signals = await trapping
        if let file = picture.svg {
            redaction.update(settings)
            let engine = Engine(time: time, redaction: redaction, log: log)
            let controller = EngineController(engine: engine, source: source, logger: log("sources"))
            try await draw(settings, document, to: file, capabilities, signals, controller)
        }
        guard StandardStreams.isTerminal else {
            throw StartupError(lines: [TerminalProblem.noTerminal.description])
        }
        guard capabilities.hasCursorMovements else {
            let name = ProcessInfo.processInfo.environment["TERM"] ?? ""
            throw StartupError(lines: [TerminalProblem.unknownTerminal(name).description])
        }
        var problems: [String] = []
        let writer = historyOption.writer(of: source, settings, time: time, readsSamples: true) { problems.append($0) }
        let notes = problems
        do {
            let (engine, cause) = try await withTerminal(
                color: capabilities.color,
                characters: capabilities.characters,
                escapeDelay: capabilities.escapeDelay
            ) { terminal in
                var engine = Engine(time: time, redaction: redaction, log: log)
                engine.history = writer
                engine.reader = historyOption.reader(of: source, settings, time: time, redaction)
                engine.election = hookOptions.election(of: source)
                let runner = DashboardRunner(
                    terminal: terminal,
                    capabilities: capabilities,
                    engine: engine,
                    source: source,
                    promptHistory: history,
                    logger: log("sources")
                )
                let cause = await runner.run(settings, document, notes: notes, signals: signals)
                return (engine, cause)
            }
            let terminal = StandardErrorTerminal()
            let losses = await engine.shutdown { report in
                let name = report.run.context.name
                for line in report.lines {
                    StandardStreams.printMessage("\(name): \(line)".printable, on: terminal)
                }
            }
            for loss in losses { StandardStreams.printMessage(loss, on: terminal) }
            throw ExitCode(cause.status)
        } catch let problem as TerminalProblem {
            throw StartupError(lines: [problem.description])
        }
    }

    /// Checks that the theme of the command line exists. The settings have to be read before, since they may define it.
    private func validateTheme(_ settings: Settings) throws(StartupError) {
        guard case .user(let name)? = screen.theme, settings.userThemes[name] == nil else { return }
        let all = ThemeChoice.builtIn.map(\.name) + settings.userThemes.keys.sorted()
        let suggestion =
            name.nearest(of: all).map { "did you mean \"\($0)\"?" } ?? "one of \(all.joined(separator: ", "))"
        throw StartupError(lines: ["--theme: unknown theme \"\(name.printable)\" – \(suggestion)"])
    }

    /// Writes the picture and ends the program.
    private func draw(
        _ settings: Settings,
        _ document: SettingsDocument?,
        to file: String,
        _ capabilities: TerminalCapabilities,
        _ signals: Signals,
        _ controller: EngineController
    ) async throws -> Never {
        // The file is opened first, so that an error is reported at once and not after watching.
        let output = try OutputFile(file, of: "--svg")
        let runner = PictureRunner(
            controller: controller,
            size: picture.size,
            duration: picture.duration ?? .seconds(10),
            keys: picture.press ?? "",
            history: historyOption.path(of: controller.source, settings)
        )
        let (cause, svg) = await runner.run(settings, document, capabilities: capabilities, signals: signals)
        await controller.engine.shutdown()
        guard cause == .quit else { throw ExitCode(cause.status) }
        throw ExitCode(await output.write(svg, signals: await Signals(withOthers: true)))
    }
}
