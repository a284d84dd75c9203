import ArgumentParser
import Dashboard
import Foundation
import Monitoring
import ReachKit
import Reporting
import TerminalIO

/// `reach`: the full-screen dashboard.
struct DashboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Show the full-screen dashboard (the default).",
        usage: """
            reach                               the targets of dashboard.toml
            reach nas.local:445 [::1]:22        these
            reach @NAS @group:Home              these of dashboard.toml
            reach --svg status.svg --after 10s  a picture of it, and no terminal
            """,
        discussion: "SIGUSR1 reads the settings file again, as ^R does."
    )

    @OptionGroup var options: SharedOptions

    @Flag(help: "Draw with ASCII only.")
    var ascii = false

    @Flag(help: "Draw without colours, as NO_COLOR=1 asks for.")
    var noColor = false

    @Option(
        help: ArgumentHelp("auto, dark, light, colour-blind or mono, in place of the settings'.", valueName: "theme"),
        completion: .list(ThemeChoice.allCases.map(\.rawValue)),
        transform: Self.theme
    )
    var theme: ThemeChoice?

    @OptionGroup var picture: PictureOptions

    func run() async throws {
        let time = ProgramTime()
        let redaction = SharedRedaction()
        // First of all: a pipe without a reader is waited for, and any signal is to end that.
        let log = try options.logging.loggers(time: time, redaction: redaction, errors: nil)
        // Trapped beside the reading, and before the terminal is taken, which no signal must leave raw.
        async let trapping = Signals()
        let source = try options.source(orOneOf: Reach.subcommands + ["help"])
        let settings = try source.settings()
        let appearance = Appearance(
            ascii: ascii,
            noColor: noColor,
            theme: theme,
            environment: ProcessInfo.processInfo.environment
        )
        let history = HistoryFile(environment: ProcessInfo.processInfo.environment)
        let signals = await trapping
        if let file = picture.svg {
            redaction.update(settings)
            let engine = Engine(time: time, redaction: redaction, log: log)
            try await draw(settings, to: file, appearance, signals, engine, source)
        }
        guard StandardStreams.isTerminal else {
            throw TargetProblems(lines: [TerminalProblem.noTerminal.description])
        }
        do {
            let session = try await withTerminal(color: appearance.color, characters: appearance.characters) {
                terminal in
                let session = DashboardSession(
                    terminal: terminal,
                    source: source,
                    time: time,
                    history: history,
                    redaction: redaction,
                    log: log
                )
                let cause = await session.run(settings, appearance: appearance, signals: signals)
                return (engine: session.engine, cause: cause)
            }
            await session.engine.shutdown { report in
                let name = report.run.occasion.name
                for line in report.lines { StandardStreams.complain("\(name): \(line)".printable) }
            }
            throw ExitCode(session.cause.status)
        } catch let problem as TerminalProblem {
            throw TargetProblems(lines: [problem.description])
        }
    }

    private static func theme(_ word: String) throws -> ThemeChoice {
        if let choice = ThemeChoice(rawValue: word) { return choice }
        let all = ThemeChoice.allCases.map(\.rawValue)
        let list = "there are \(all.joined(separator: ", "))"
        let guess = word.nearest(of: all).map { "did you mean \"\($0)\"?" } ?? list
        throw ValidationError("there is no theme \"\(word)\" – \(guess)")
    }

    /// Makes the picture, and ends the program.
    private func draw(
        _ settings: Settings,
        to file: String,
        _ appearance: Appearance,
        _ signals: Signals,
        _ engine: Engine,
        _ source: TargetSource
    ) async throws -> Never {
        // Reported now, not after a while of watching.
        let sink: any BodySink
        do throws(Fetch.Error) {
            sink = try Fetch.sink(to: file)
        } catch {
            throw TargetProblems(lines: ["the picture: \(error)"])
        }
        let session = PictureSession(
            source: source,
            engine: engine,
            size: picture.size,
            duration: picture.duration ?? .seconds(10),
            keys: picture.press ?? ""
        )
        let (cause, svg) = await session.run(settings, appearance: appearance, signals: signals)
        await engine.shutdown()
        guard cause == .quit else { throw ExitCode(cause.status) }
        throw ExitCode(await PictureFile.write(svg, to: sink, signals: await Signals()))
    }
}
