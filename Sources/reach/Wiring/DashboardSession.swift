import AsyncAlgorithms
import Dashboard
import Hooks
import Logging
import Monitoring
import Probing
import Screen
import TerminalIO
import UnixSignals

/// The wiring of the dashboard: what reaches its loop, and who does what the model asks for.
struct DashboardSession {
    let terminal: Terminal
    let source: TargetSource
    let engine: Engine
    /// Where lines are kept that were typed; nil when they are not.
    let history: HistoryFile?
    private let pulse: Pulse

    init(
        terminal: Terminal,
        source: TargetSource,
        time: ProgramTime,
        history: HistoryFile?,
        redaction: SharedRedaction,
        log: @Sendable (String) -> Logger
    ) {
        self.terminal = terminal
        self.source = source
        self.history = history
        engine = Engine(time: time, redaction: redaction, log: log)
        pulse = Pulse(time: time)
    }

    /// Runs until the user quits or a signal ends it; then the terminal is given back, with the last table on it.
    func run(_ settings: Settings, appearance: Appearance, signals: Signals) async -> Ending {
        var model = Model(
            source: source.name,
            size: terminal.size,
            glyphs: appearance.glyphs,
            forcedTheme: appearance.theme,
            background: appearance.background,
            wall: engine.time.wall
        )
        await engine.prepare(for: settings)
        engine.journal.note(settings, from: source.name)
        model.recall(history?.lines ?? [])
        if appearance.answers { terminal.askBackground() }
        var loop = DashboardLoop(model, paint: paint, hasten: pulse.hasten, perform: perform)
        // The first frame has the targets in it.
        await loop.fold(.settings(settings, at: engine.time.now))
        let ending = await Inflow.run(sources(signals)) { await loop.run($0) }
        terminal.leave(printing: ending == .quit ? loop.model.farewell().text : "")
        return ending
    }

    // MARK: In

    /// Everything that reaches the loop: the network, the user, and time.
    private func sources(_ signals: Signals) -> [Inflow<Input>] {
        let (time, terminal) = (engine.time, terminal)
        // The keys end when the terminal is gone, whether or not the system says so by a signal.
        let keys = chain(
            terminal.keys.map { Input.event(.key($0)) },
            [Input.end(signal: UnixSignal.sighup.rawValue)].async
        )
        return [
            Inflow(engine.prober.findings) { .event(.findings($0, at: time.now)) },
            Inflow(engine.hooks.reports) { .event(.hook($0, at: time.now)) },
            Inflow(keys) { $0 },
            Inflow(signals.sequence) { Self.input(of: $0, terminal) },
            Inflow(StopSignal.sequence) { .stop },
            Inflow(terminal.backgrounds) { .event(.background($0)) },
            Inflow(pulse.beats) { .event(.tick(time.now, time.wall)) },
        ]
    }

    private static func input(of signal: UnixSignal, _ terminal: Terminal) -> Input {
        switch signal {
        case .sigwinch: .event(.resize(terminal.size))
        case .sigusr1: .reload
        case .sigcont: .event(.resumed)
        default: .end(signal: signal.rawValue)
        }
    }

    // MARK: Out

    private func paint(_ frame: Frame, isWhole: Bool) {
        terminal.painter.paint(frame)
        if isWhole { terminal.painter.repaint() }
    }

    private func perform(_ effect: Effect) async -> Event? {
        switch effect {
        case .probe(let request):
            engine.perform(request)
        case .transition(let id, let transition):
            await engine.note(transition, of: id)
        case .run(let runs):
            await engine.hooks.submit(runs)
        case .dropHooks(let ids):
            await engine.hooks.remove(Set(ids))
        case .limitHooks(let limit):
            await engine.hooks.setLimit(limit)
        case .copy(let text):
            terminal.copy(text)
        case .mouse(let isOn):
            terminal.setMouse(isOn)
        case .save(let picture, let name):
            let trouble = PictureFile.create(name, with: picture)
            return .notice(trouble.map { "cannot save \(name): \($0)" } ?? "saved \(name)")
        case .remember(let line):
            history?.add(line)
        case .reload:
            return reload()
        case .suspend:
            terminal.suspend()
            return .resize(terminal.size)
        case .retake:
            terminal.resume()
            return .resize(terminal.size)
        case .repaint, .quit:
            // The loop's own.
            break
        }
        return nil
    }

    private func reload() -> Event {
        do throws(TargetProblems) {
            let settings = try source.settings()
            engine.journal.note(settings, from: source.name)
            engine.rereadFiles()
            return .settings(settings, at: engine.time.now)
        } catch {
            return .settingsRefused(error.lines, at: engine.time.now)
        }
    }
}
