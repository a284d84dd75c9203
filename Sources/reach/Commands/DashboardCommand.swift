import ArgumentParser
import Foundation
import TerminalIO

/// `reach`: the full-screen dashboard.
struct DashboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Show the full-screen dashboard (the default).",
        discussion: "SIGUSR1 reads the settings file again, as ^R does."
    )

    @OptionGroup var options: SharedOptions

    @Flag(help: "Draw with ASCII only.")
    var ascii = false

    @Flag(help: "Draw without colours, as NO_COLOR=1 asks for.")
    var noColor = false

    func run() async throws {
        // Trapped first: a signal that comes while the terminal is being taken must not leave it raw.
        let signals = await Signals()
        let time = ProgramTime()
        let source = try options.source()
        let settings = try source.settings()
        let log = try options.loggers(time: time)
        let appearance = Appearance(ascii: ascii, noColor: noColor, environment: ProcessInfo.processInfo.environment)
        guard StandardStreams.isTerminal else {
            throw TargetProblems(lines: [TerminalProblem.noTerminal.description])
        }
        do {
            let session = try await withTerminal(color: appearance.color) { terminal in
                let session = DashboardSession(terminal: terminal, source: source, time: time, log: log)
                let ending = await session.run(settings, appearance: appearance, signals: signals)
                return (engine: session.engine, ending: ending)
            }
            await session.engine.shutdown()
            throw ExitCode(session.ending.status)
        } catch let problem as TerminalProblem {
            throw TargetProblems(lines: [problem.description])
        }
    }
}
