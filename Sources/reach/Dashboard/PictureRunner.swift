import AsyncAlgorithms
import ReachDashboard
import ReachFleet
import ReachHistory
import ReachKit
import ReachMonitoring
import ReachProbing
import ReachScreen
import ReachSystem
import ReachTerminal
import UnixSignals

/// Runs the dashboard without a terminal: watches for a while, then returns a picture of the screen. No hooks run, and
/// no source is refreshed.
struct PictureRunner {
    let controller: EngineController
    let size: Size
    /// The time until the picture.
    let duration: Duration
    /// The keys to press before the picture, as the bytes that a terminal sends.
    let keys: String
    /// The path of the history; nil if it is off.
    let history: String?

    /// Watches the targets and draws the picture.
    ///
    /// - Returns: The exit cause and the picture.
    func run(
        _ settings: Settings,
        _ document: SettingsDocument?,
        capabilities: TerminalCapabilities,
        signals: Signals
    ) async -> (ExitCause, picture: String) {
        let time = controller.engine.time
        let model = Model(
            source: controller.source.screenName,
            document: document,
            size: size,
            glyphs: capabilities.glyphs,
            themeOverride: capabilities.theme,
            background: capabilities.background,
            wall: time.wall
        )
        var loop = DashboardLoop(model, paint: { _, _ in }, now: { time.now }, perform: perform)
        var settings = settings
        settings.sources = []
        for index in settings.targets.indices { settings.targets[index].hooks = [] }
        await loop.fold(Event(.settings(settings), at: time.now))
        await controller.use(settings)
        let cause = await InputSource.run(sources(signals)) { await loop.run($0) { [$0] } }
        await controller.stop()
        return (cause, loop.model.picture())
    }

    private func perform(_ effect: Effect) async -> Event.Kind? {
        switch effect {
        case .perform(var consequences):
            consequences.runs = []
            await controller.perform(.perform(consequences))
        case .showFleet, .readFleetHistory:
            await controller.perform(effect)
        // Forms and prompts can be drawn, but a picture changes no settings.
        case .edit(let request):
            guard case .fields = request else { return nil }
            return (try? SettingsStore(source: controller.source).perform(request)).map { .edited($0) }
        case .readHistory(let request):
            // The keys do not wait for another thread.
            let time = controller.engine.time
            guard let history else { return .historyOff(time) }
            let redaction = controller.engine.redaction.current
            let answer = HistoryReader.read(request, path: history, time: time.ofHistory, redaction: redaction)
            return .history(answer, time)
        case .showPaths(let request) where request != .none:
            let current = await controller.engine.paths.paths(of: request)
            return .paths(current.paths, isComplete: current.isComplete)
        default:
            break
        }
        return nil
    }

    private func sources(_ signals: Signals) -> [InputSource<Event>] {
        let (engine, time, duration) = (controller.engine, controller.engine.time, duration)
        var parser = KeyParser()
        let pressed = parser.parse(keys.utf8) + parser.flush()
        let event: @Sendable (Event.Kind) -> Event = { Event($0, at: time.now) }
        let last = AsyncStream<Event> { continuation in
            let task = Task {
                try? await Task.sleep(for: duration)
                continuation.yield(event(.tick(time.wall)))
                continuation.yield(event(.keys(pressed)))
                continuation.yield(event(.exit(.quit)))
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        let common: [InputSource<Event>] = controller.inputs { engine.event(of: $0).map(event) }
        return common + [
            InputSource(engine.fleet.pasts) { event(.fleetHistory($0.history, of: $0.name)) },
            InputSource(signals.sequence) { $0.isEnding ? event(.exit(.signal($0.rawValue))) : nil },
            InputSource(last) { $0 },
            InputSource(AsyncTimerSequence(interval: .milliseconds(100), clock: .suspending)) { _ in
                event(.tick(time.wall))
            },
        ]
    }
}

/// Writes pictures of the dashboard.
enum PictureFile {
    /// Writes a picture to a new file, which is removed again after an error.
    ///
    /// - Returns: The error message; nil on success.
    static func create(_ path: String, with picture: String, mode: mode_t = 0o644) -> String? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return SystemError().description }
        defer { close(descriptor) }
        do throws(SystemError) {
            try writeAll(picture, to: descriptor)
            return nil
        } catch {
            unlink(path)
            return error.description
        }
    }
}
