import ArgumentParser
import Dispatch
import Foundation
import ReachDashboard
import ReachHistory
import ReachMonitoring
import ReachScreen
import ReachTerminal
import UnixSignals

/// `reach open`: shows a file about an incident.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show a file of reach incident, as the screen was.",
        usage: """
            reach open nas.jsonl
            """,
        discussion: """
            Nothing is probed, and nothing is written but a temporary folder, which is removed at the end. The arrows and \
            [ ] { } move in time, as on a frozen screen; e shows the events, enter a target, p its path, q quits.
            Exit status: 0 after q, 2 usage error, or the file cannot be read, 128+n after signal n.
            """
    )

    @Argument(
        help: ArgumentHelp("File of reach incident.", valueName: "file"),
        completion: .file(extensions: ["jsonl"])
    )
    var file: String

    @OptionGroup var screen: ScreenOptions

    func run() async throws {
        let file = try IncidentFile(path: file)
        async let trapping = Signals()
        let capabilities = TerminalCapabilities(
            ascii: screen.ascii,
            noColor: screen.noColor,
            theme: screen.theme,
            environment: ProcessInfo.processInfo.environment
        )
        let signals = await trapping
        guard StandardStreams.isTerminal else {
            throw StartupError(lines: [TerminalProblem.noTerminal.description])
        }
        do {
            let cause = try await withTerminal(
                color: capabilities.color,
                characters: capabilities.characters,
                escapeDelay: capabilities.escapeDelay
            ) { terminal in
                await FileRunner(file: file, terminal: terminal, capabilities: capabilities).run(signals)
            }
            withExtendedLifetime(file) {}
            throw ExitCode(cause.status)
        } catch let problem as TerminalProblem {
            throw StartupError(lines: [problem.description])
        }
    }
}

/// Shows a file about an incident on a terminal.
struct FileRunner {
    let file: IncidentFile
    let terminal: Terminal
    let capabilities: TerminalCapabilities

    /// Runs until the user quits or a signal arrives.
    func run(_ signals: Signals) async -> ExitCause {
        let (terminal, queue) = (terminal, DispatchQueue.loop())
        let (files, clipboard) = (DashboardFiles(nil), Clipboard(terminal, capabilities.multiplexer))
        let perform = { (effect: Effect) async -> Event.Kind? in
            switch effect {
            case .readHistory(let request): return .history(file.answer(request), file.zone)
            case .copy(let text): clipboard.copy(text)
            case .mouse(let isOn): terminal.setMouse(isOn)
            case .save(let picture, let name): files.save(picture, as: name)
            case .title(let title): if capabilities.hasTitle { terminal.setTitle(title) }
            case .suspend:
                guard terminal.suspend() else { return .notice("not suspended: no shell could resume reach – q quits") }
                return .resize(terminal.size)
            case .restoreTerminal:
                terminal.resume()
                return .resize(terminal.size)
            default: break
            }
            return nil
        }
        let paint = { (frame: Frame, isWhole: Bool) in
            terminal.painter.paint(frame)
            if isWhole { terminal.painter.repaint() }
        }
        var loop = DashboardLoop(
            file.model(size: terminal.size, capabilities: capabilities),
            paint: paint,
            perform: perform
        )
        await loop.fold(Event(.resize(terminal.size), at: .zero))
        let event: @Sendable (Event.Kind) -> Event = { Event($0, at: .zero) }
        let sources: [InputSource<Event>] = [
            InputSource(batching: terminal.keys, last: { event(.exit(.signal(UnixSignal.sighup.rawValue))) }) {
                event(.keys($0))
            },
            InputSource(signals.sequence) { signal in
                switch signal {
                case .sigwinch: event(.resize(terminal.size))
                case .sigcont: event(.resumed)
                case .sigusr1: nil
                default: event(.exit(.signal(signal.rawValue)))
                }
            },
            InputSource(StopSignal.sequence) { _ in event(.suspend) },
            InputSource(clipboard.reports) { event(.notice($0)) },
            InputSource(files.reports) { event(.notice($0)) },
        ]
        let cause = await InputSource.run(sources, on: queue) { await loop.run($0) { [$0] } }
        terminal.leave(printing: "")
        await files.finish()
        return cause
    }
}

extension IncidentFile {
    /// The dashboard at the time of the incident.
    func model(size: Size, capabilities: TerminalCapabilities) -> Model {
        var model = Model(
            source: name,
            size: size,
            glyphs: capabilities.glyphs,
            themeOverride: capabilities.theme,
            background: capabilities.background,
            wall: wall
        )
        _ = model.update(Event(.settings(Settings(targets: targets)), at: .zero))
        model.open(at: time, in: range)
        _ = model.update(Event(.history(answer(.moment(time, model.assignments)), zone), at: .zero))
        return model
    }
}
